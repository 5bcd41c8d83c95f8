/**
 * Returns what the bench's model says as an agent of a run, from the request alone: it plans one stage and one task a
 * phase, reads what it is told to begin from unless its message has that already, writes about 600 words, and
 * wants one chart.
 *
 * @typedef {{ name: string, args: object }} Call
 */

const words =
  "What is known of the hives of this city, and what follows from it for its gardens.\n";
/** About 600 words. */
const text = `# Findings\n\n${words.repeat(36)}\n`;

/** @param {object} args @returns {Call} */
const completes = (args) => ({
  name: "attempt_completion",
  args: { status: "SUCCESS", ...args },
});

/**
 * @param {{ messages: readonly any[], forcedTool?: string, tools: readonly any[] }} request
 * @param {{ oneStepAReply: boolean }} how `oneStepAReply`: it writes in one reply and submits with the next,
 *   whatever it is told
 * @returns {Call[]}
 */
export function runReply({ messages, forcedTool, tools }, { oneStepAReply }) {
  if (forcedTool !== undefined) return [{ name: forcedTool, args: { is_single_command: false } }];
  const message = messages[1].content;
  const told = /<task>\n([^]*)\n<\/task>/.exec(message)?.[1] ?? "";
  const plan = planFor(told, tools);
  if (plan !== undefined) return [completes(plan)];
  const exact = /to the letter:\n([^]*)$/.exec(told)?.[1];
  if (exact !== undefined) return [completes({ message: exact })];
  return workOn(message, told, messages, oneStepAReply);
}

/** @param {string} told @param {readonly any[]} tools @returns {object | undefined} */
function planFor(told, tools) {
  if (told.startsWith("Plan how this run is prepared")) {
    const ids = ["T00", "T02", "T03", "T04"];
    return {
      tasks: ids.map((id) => ({ task_id: id, task_name: id, task_purpose: "Prepare the run" })),
    };
  }
  if (told.startsWith("Propose")) {
    const justification = "The request says so.";
    const rules = ["Three pages at most", "Every number names its source", "Written for gardeners"];
    return {
      summary: "A report on the hives of three cities will be written, with a chart.",
      instructions: rules.map((content) => ({
        instruction_type: "format",
        content,
        justification,
      })),
    };
  }
  if (told.startsWith("Plan the tasks of one stage")) return { tasks: [taskOf(told)] };
  if (told.startsWith("Plan the stages")) {
    const stage = { stage_name: "Findings", stage_goal: "One document that the next phase uses" };
    const takesTasks = JSON.stringify(tools.at(-1)).includes('"tasks"');
    return { stages: [takesTasks ? { ...stage, tasks: [taskOf(told)] } : stage] };
  }
  if (!told.startsWith("Plan what helps one task")) return undefined;
  return {
    tool_tasks: [
      {
        tool_type: "Data Visualization",
        tool_task_name: "Hives by city",
        tool_task_purpose: "Bars of assets/hives.csv, one a city",
      },
    ],
  };
}

/** @param {string} told */
function taskOf(told) {
  const phase =
    /in the phase ([A-Z_]+)|The phase is ([A-Z_]+)/.exec(told)?.slice(1).find(Boolean) ?? "";
  const outputs = /final outputs go to (\S+\/)\./.exec(told)?.[1] ?? "";
  return {
    task_name: `Findings of ${phase}`,
    task_purpose: "Say in about 600 words what the material has on it, with the numbers",
    related_references: ["assets/hives.csv", "assets/notes.md"],
    output_path: phase === "GENERATING_OUTPUT" ? `${outputs}report.md` : "findings.md",
    ...(phase === "ANALYZING"
      ? { post_tool_purpose: "Data Visualization: bars of assets/hives.csv, one a city" }
      : {}),
  };
}

/**
 * @param {string} message
 * @param {string} told
 * @param {readonly any[]} messages
 * @param {boolean} oneStepAReply
 * @returns {Call[]}
 */
function workOn(message, told, messages, oneStepAReply) {
  const [, begins = ""] = /It begins from:\n([^]*)$/.exec(told) ?? [];
  const listed = [...message.matchAll(/^(\S+) \(GUIDELINE_DOC\)/gm)].map(([, path]) => path);
  const named = [...begins.matchAll(/^([^\s:]+\/[^\s:]+)/gm)].map(([, path]) => path);
  const toRead = [...new Set([...listed, ...named])].filter(
    (path) => !message.includes(`<data from="${path}">`),
  );
  const made = messages.flatMap(({ toolCalls = [] }) =>
    toolCalls.map((/** @type {{ name: string }} */ { name }) => name),
  );
  if (toRead.length > 0 && !made.includes("read_file")) {
    return toRead.map((path) => ({ name: "read_file", args: { path } }));
  }
  const [, output = ""] = /^Write its output to: (\S+?)(?:,.*)?$/m.exec(told) ?? [];
  const write = output.endsWith(".html")
    ? { name: "draw_chart", args: { path: output, ...chart } }
    : { name: "write_file", args: { path: output, content: text } };
  const done = completes({ summary: "Findings on the hives of three cities, with numbers" });
  if (made.includes(write.name)) return [done];
  return oneStepAReply ? [write] : [write, done];
}

const chart = {
  title: "Rome has most hives",
  description: "Hives by city.",
  mark: "bar",
  file: "assets/hives.csv",
  x: { field: "city", type: "nominal" },
  y: { field: "hives", type: "quantitative", aggregate: "sum" },
};
