/** Returns a mode's display name: `rooroo-idea-sparker` is "Idea Sparker". */
export function modeName(mode: string): string {
  const words = mode.replace(/^rooroo-/, "").split(/[-_\s]+/);
  const name = words
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  return name || mode;
}
