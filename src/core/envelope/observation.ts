import type { Printed, ToolResult } from "../agent/tool.js";

/**
 * R-ENV-16: what came of a command, or what is wrong with an envelope, as the model gets it.
 *
 * @param at when it ended
 */
export function observation(printed: Printed, runtimeMs: number, at: Date): string {
  const { stdout, stderr, exitCode, truncated, killed } = printed;
  return JSON.stringify({
    observation_for_llm: { stdout, stderr, exit_code: exitCode, truncated },
    observation_metadata: { runtime_ms: runtimeMs, killed, timestamp: at.toISOString() },
  });
}

/** A result of a tool that printed nothing of its own. */
export function printedBy({ ok, content, printed }: ToolResult): Printed {
  if (printed !== undefined) return printed;
  const fixed = { truncated: false, killed: false };
  return ok
    ? { stdout: content, stderr: "", exitCode: 0, ...fixed }
    : { stdout: "", stderr: content, exitCode: 1, ...fixed };
}

/** Observations begin like this, and nothing that a person says does. */
export function isObservation(text: string): boolean {
  return text.startsWith('{"observation_for_llm":');
}
