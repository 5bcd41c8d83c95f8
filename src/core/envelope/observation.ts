import type { Printed, ToolResult } from "../agent/tool.js";

/**
 * R-ENV-16: Returns the message that tells the model the result of a command, or what is wrong with an
 * envelope.
 *
 * @param at when the command ended
 */
export function observation(printed: Printed, runtimeMs: number, at: Date): string {
  const { stdout, stderr, exitCode, truncated, killed } = printed;
  return JSON.stringify({
    observation_for_llm: { stdout, stderr, exit_code: exitCode, truncated },
    observation_metadata: { runtime_ms: runtimeMs, killed, timestamp: at.toISOString() },
  });
}

/**
 * Returns what a tool printed. For a tool that prints nothing, its content stands in for the output, or
 * for the error output if it failed.
 */
export function printedBy({ ok, content, printed }: ToolResult): Printed {
  if (printed !== undefined) return printed;
  const fixed = { truncated: false, killed: false };
  return ok
    ? { stdout: content, stderr: "", exitCode: 0, ...fixed }
    : { stdout: "", stderr: content, exitCode: 1, ...fixed };
}

/** Returns whether a text is an {@link observation}: nothing that a person writes begins like this. */
export function isObservation(text: string): boolean {
  return text.startsWith('{"observation_for_llm":');
}
