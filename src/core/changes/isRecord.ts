/**
 * Returns whether a file is a record of the work and not the work, such as experts' notes and what code keeps
 * about tasks. Records are neither reviewed nor undone.
 */
export function isRecord(path: string): boolean {
  return /^\.rooroo\/(?!rules\/)/i.test(path);
}
