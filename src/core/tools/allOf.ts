import type { PreparedCall, ToolResult } from "../agent/tool.js";

/** Several calls as one: each is asked about by itself, and all are before the first is run. */
export function allOf(
  calls: readonly PreparedCall[],
  signal: AbortSignal,
  joined: (results: readonly ToolResult[]) => ToolResult,
): PreparedCall {
  const [intent, ...more] = calls.flatMap((call) => [
    ...(call.intent === undefined ? [] : [call.intent]),
    ...(call.more ?? []),
  ]);
  return {
    ...(intent === undefined ? {} : { intent }),
    more,
    run: async (granted) => {
      const results: ToolResult[] = [];
      for (const call of calls) {
        signal.throwIfAborted();
        results.push(await call.run(granted));
      }
      return joined(results);
    },
  };
}
