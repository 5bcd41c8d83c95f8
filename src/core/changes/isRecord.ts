/**
 * Notes of experts, and what code keeps about tasks, are the record of the work and not the work: they
 * are not reviewed and not undone.
 */
export function isRecord(path: string): boolean {
  return /^\.rooroo\/(?!rules\/)/i.test(path);
}
