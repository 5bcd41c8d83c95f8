import type { JobView } from "../../core/jobs/jobView.js";
import { terminalLine } from "./terminalText.js";

/** Returns a job's next step on one line of at most `length` characters. */
export function nextLine({ next }: JobView, length: number): string {
  const { role, objective, exitCode } = next;
  const who = role === null ? `ends with ${exitCode ?? 0}` : `a ${role.toLowerCase()}`;
  return terminalLine(`next: ${who}: ${objective}`, length);
}
