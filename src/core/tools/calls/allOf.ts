import type { PreparedCall, ToolResult } from "../../agent/tool.js";

/**
 * Combines several calls into one. Each needs its own approval, and all of them are approved before
 * the first one runs.
 */
export function allOf(
  calls: readonly PreparedCall[],
  signal: AbortSignal,
  joined: (results: readonly ToolResult[]) => ToolResult,
): PreparedCall {
  const [action, ...more] = calls.flatMap((call) => [
    ...(call.action === undefined ? [] : [call.action]),
    ...(call.more ?? []),
  ]);
  return {
    action,
    more,
    run: async (granted) => {
      const results: ToolResult[] = [];
      for (const call of calls) {
        signal.throwIfAborted();
        results.push(await call.run(granted));
      }
      return { seen: results.flatMap(({ seen }) => seen ?? []), ...joined(results) };
    },
  };
}
