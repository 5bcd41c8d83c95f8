/** Two jobs whose locks or folders have one name would only be in each other's way. */
export function plainName(stem: string): string {
  return stem.replace(/[^\w-]/g, (char) => `_${char.charCodeAt(0).toString(16)}`).slice(0, 120);
}

/** What code keeps of a job beside its two files, and may be deleted while nobody works on it. */
export function jobPlace(stem: string): string {
  return `.rooroo/jobs/${plainName(stem)}`;
}
