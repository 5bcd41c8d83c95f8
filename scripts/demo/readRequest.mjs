/**
 * Reads from a request to the model what the scripts need to know. Everything is read from the
 * messages themselves, so that a conversation goes on right after a reload or a restart.
 *
 * @typedef {object} Turn One reply of the model, and what its tool calls came to.
 * @property {{ name: string, args: Record<string, unknown>, result: string }[]} calls
 *
 * @typedef {object} ExpertRequest
 * @property {"expert"} kind
 * @property {string} mode As in `rooroo-developer`.
 * @property {string} taskId
 * @property {string} goal
 * @property {Turn[]} turns Those that were carried out; one that a closed program cut short is to be
 *   taken again.
 * @property {string} heard What the person answered last; empty if nothing was asked.
 *
 * @typedef {object} TriageRequest
 * @property {"triage"} kind
 * @property {string} text The person's message.
 * @property {boolean} afterQuestion It answers a question.
 *
 * @typedef {object} JobRequest One lifecycle of a job.
 * @property {"job"} kind
 * @property {"Planner" | "Runner"} role
 * @property {string} told All that it is told first: the job, its log, and its objective.
 * @property {string} objective Holds our own task, as in `Describe src/cart.js`.
 * @property {Turn[]} turns As of an expert.
 *
 * @typedef {object} RunRequest One sitting of an agent of a run.
 * @property {"run"} kind
 * @property {RunStep} step What it is to hand in.
 * @property {string} told
 * @property {Turn[]} turns As of an expert.
 *
 * @typedef {"proposal" | "stages" | "tasks" | "tools" | "work" | "command" | "message"} RunStep
 *
 * @typedef {{ kind: "judge" }} JudgeRequest Does a job's plan serve its goal?
 *
 * @typedef {{ kind: "judgeRequest" }} JudgeOfRunRequest Is it a single command, and no run?
 *
 * @typedef {{ kind: "connectionTest" }} ConnectionTest
 *
 * @typedef {{ kind: "other" }} OtherRequest
 */

/**
 * @param {import("@copilotkit/aimock").ChatCompletionRequest} request
 * @returns {ExpertRequest | TriageRequest | JobRequest | RunRequest | JudgeRequest | JudgeOfRunRequest | ConnectionTest | OtherRequest}
 */
export function readRequest({ messages, tools = [] }) {
  const names = tools.map((tool) => tool.function.name);
  const users = messages.filter(({ role }) => role === "user").map(textOf);
  const first = users[0] ?? "";
  if (names.length === 1 && names[0] === "triage") return readTriage(first);
  if (names.length === 1 && names[0] === "say") return { kind: "connectionTest" };
  if (names.length === 1 && names[0] === "judge_plan") return { kind: "judge" };
  if (names.length === 1 && names[0] === "judge_request") return { kind: "judgeRequest" };
  const handedIn = fieldsOf(tools.find((tool) => tool.function.name === "attempt_completion"));
  const step = runSteps.find(({ fields }) => fields.every((field) => handedIn.has(field)))?.step;
  if (step === "expert") return readExpert(messages, first);
  if (step === "Planner" || step === "Runner") {
    const { turns } = readTurns(messages);
    return { kind: "job", role: step, told: first, objective: taskIn(first), turns };
  }
  if (step !== undefined)
    return { kind: "run", step, told: first, turns: readTurns(messages).turns };
  return { kind: "other" };
}

/**
 * What is wanted is told by the fields of what is to be handed in: the product's words change, and the fields are a
 * contract that its own code reads. The first one of which all fields are there counts.
 *
 * @type {readonly { step: RunStep | JobRequest["role"] | "expert", fields: readonly string[] }[]}
 */
const runSteps = [
  { step: "expert", fields: ["status", "output_artifact_paths"] },
  { step: "proposal", fields: ["status", "instructions"] },
  { step: "stages", fields: ["status", "stages"] },
  { step: "tasks", fields: ["status", "tasks"] },
  { step: "tools", fields: ["status", "tool_tasks"] },
  { step: "work", fields: ["status", "post_tool_required"] },
  { step: "Planner", fields: ["summary", "changes"] },
  { step: "Runner", fields: ["summary", "result"] },
  { step: "command", fields: ["status", "message"] },
  { step: "message", fields: ["message"] },
];

/** Returns the names of a tool's arguments. @param {import("@copilotkit/aimock").ToolDefinition | undefined} tool */
function fieldsOf(tool) {
  const { properties = {} } = /** @type {{ properties?: object }} */ (
    tool?.function.parameters ?? {}
  );
  return new Set(Object.keys(properties));
}

/** Returns the element of a message in which orders stand. @param {string} message */
export function taskIn(message) {
  return /<task>\n([^]*)\n<\/task>/.exec(message)?.[1] ?? message;
}

/**
 * @param {import("@copilotkit/aimock").ChatMessage[]} messages
 * @param {string} first
 * @returns {ExpertRequest | OtherRequest}
 */
function readExpert(messages, first) {
  const [, mode] = /\b(rooroo-[a-z-]+)\b/.exec(textOf(messages[0])) ?? [];
  const [, taskId] = / --task-id (\S+)/.exec(first) ?? [];
  if (mode === undefined || taskId === undefined) return { kind: "other" };
  return { kind: "expert", mode, taskId, goal: goalIn(first), ...readTurns(messages) };
}

/** @param {string} content @returns {TriageRequest} */
function readTriage(content) {
  const marker = "The user's latest message:\n";
  const at = content.lastIndexOf(marker);
  const earlier = content.slice(0, Math.max(at, 0)).trimEnd().split("\n");
  return {
    kind: "triage",
    text: said(at < 0 ? content : content.slice(at + marker.length)),
    afterQuestion: /^navigator: .*\?$/.test(earlier.at(-1) ?? ""),
  };
}

/** Returns what the person says last: an answer comes after the request that it belongs to. @param {string} text */
function said(text) {
  const [, words = text] = /<request>\n([^]*)\n<\/request>/.exec(text) ?? [];
  return (words.split(/\n\n\(Asked about this: [^\n]*\)\n\n/).at(-1) ?? "").trim();
}

/** From the command line, else (a planner is given none) from the context file that comes with it. @param {string} command */
function goalIn(command) {
  const [line] = command.split("\n", 1);
  const [, quoted] = /--goal ("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
  if (quoted !== undefined) return String(JSON.parse(quoted));
  const goal = /## Goal\s+([\s\S]*?)(?=\n## |\n<\/task>|$)/.exec(command)?.[1];
  return (goal ?? /<request>\n([^]*)\n<\/request>/.exec(command)?.[1] ?? "").trim();
}

const cutShort = /^The program was closed while this call ran/;

/** @param {import("@copilotkit/aimock").ChatMessage[]} messages */
function readTurns(messages) {
  /** @type {Turn[]} */
  const turns = [];
  let heard = "";
  for (const message of messages) {
    if (message.role === "assistant") {
      const calls = (message.tool_calls ?? []).map(({ id, function: call }) => ({
        name: call.name,
        args: JSON.parse(call.arguments),
        result: textOf(messages.find((other) => other.tool_call_id === id)),
      }));
      if (!calls.some(({ result }) => cutShort.test(result))) turns.push({ calls });
      heard = calls.find(({ name }) => name === "ask_followup_question")?.result ?? heard;
    } else if (message.role === "user") {
      const [, quoted] = /--clarification ("(?:[^"\\]|\\.)*")/.exec(textOf(message)) ?? [];
      if (quoted !== undefined) heard = String(JSON.parse(quoted));
    }
  }
  return { turns, heard };
}

/** @param {import("@copilotkit/aimock").ChatMessage | undefined} message */
function textOf(message) {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return content.map((part) => part.text ?? "").join("");
}
