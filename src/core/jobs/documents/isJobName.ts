/** Whether a job file may have this name: letters, digits, spaces, dots, - and _, 80 characters at most. */
export function isJobName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(name) && name.length <= 80;
}
