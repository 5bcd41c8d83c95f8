/**
 * Returns what the bench's model says, from the request alone: it triages by the message's first word, and
 * an expert whose goal is `read N files` reads so many, one a turn, and reports. A goal that is
 * `say N chunks` has so many pieces of text streamed before the report.
 *
 * @typedef {{ name: string, args: object }} Call
 * @typedef {{ chunks: string[], calls: Call[] }} Reply
 */

/** Everything that runs tasks names its files so. @param {number} n */
export const fileName = (n) => `src/part${n}.js`;

/** @param {any} body A chat completion request. @returns {Reply} */
export function reply({ messages, tool_choice: forced }) {
  if (forced !== undefined) return triage(messages.at(-1).content);
  if (messages[0].content.startsWith("You are rooroo-planner"))
    return { chunks: [], calls: [plan] };
  const task = messages[1].content;
  const toRead = Number(/read (\d+) files/.exec(task)?.[1] ?? 0);
  const toSay = Number(/say (\d+) chunks/.exec(task)?.[1] ?? 0);
  // Five characters each, as tokens about are.
  const chunks = Array.from({ length: toSay }, (_, i) => `${String(i % 1000).padStart(4, "w")} `);
  const seen = messages.filter((/** @type {any} */ { role }) => role === "tool").length;
  if (seen >= toRead) return { chunks, calls: [report] };
  const read = { name: "read_file", args: { path: fileName(seen) } };
  return { chunks: ["I will read ", "the next file."], calls: [read] };
}

/** @param {string} message @returns {Reply} */
function triage(message) {
  const [, request = ""] = /<request>\n([^]*)\n<\/request>/.exec(message) ?? [];
  const common = { goal: request, reason: "It is clear." };
  const args = request.startsWith("Plan")
    ? { route: "plan", ...common }
    : { route: "direct", expert: "rooroo-developer", ...common };
  return { chunks: [], calls: [{ name: "triage", args }] };
}

/** @type {Call} */
const report = {
  name: "attempt_completion",
  args: { status: "Done", message: "It is done.", output_artifact_paths: [] },
};

/** @type {Call} */
const plan = {
  name: "attempt_completion",
  args: {
    ...report.args,
    plan_overview: "Five small steps, one after the other.",
    queue_tasks_json_lines: [1, 2, 3, 4, 5].map((step) => ({
      suggested_mode: "rooroo-developer",
      goal_for_expert: `Do step ${step} in ${fileName(step)}.`,
      context: "Nothing depends on it.",
    })),
  },
};
