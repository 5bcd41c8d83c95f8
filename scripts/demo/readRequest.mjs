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
 * @property {string} objective As in `Task 1.2. Describe src/cart.js`.
 * @property {Turn[]} turns As of an expert.
 *
 * @typedef {object} RunRequest One sitting of an agent of a run.
 * @property {"run"} kind
 * @property {string} told
 * @property {Turn[]} turns As of an expert.
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
  if (ofRun.test(first)) return { kind: "run", told: first, turns: readTurns(messages).turns };
  const [, objective] = /^Your objective: (.*)$/m.exec(first) ?? [];
  if (objective !== undefined) {
    const role = textOf(messages[0]).includes("PLANNER") ? "Planner" : "Runner";
    return { kind: "job", role, objective, turns: readTurns(messages).turns };
  }
  const [, mode] = /\b(rooroo-[a-z-]+)\b/.exec(textOf(messages[0])) ?? [];
  const [, taskId] = /^COMMAND: \w+ --task-id (\S+)/.exec(first) ?? [];
  if (mode === undefined || taskId === undefined) return { kind: "other" };
  return { kind: "expert", mode, taskId, goal: goalIn(first), ...readTurns(messages) };
}

/** Matches the messages that agents of runs are told. */
const ofRun =
  /^<task>\n(Propose what this run|Plan the (stages|tasks) of|Plan what helps one|REPORT_)|^Write its output to: /m;

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
