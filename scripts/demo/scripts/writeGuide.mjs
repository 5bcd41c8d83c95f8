import { call } from "./script.mjs";

/** @typedef {import("./script.mjs").Reply} Reply */
/** @typedef {import("../readRequest.mjs").RunRequest} RunRequest */

/** The document that each phase adds, as the demo model plans it. */
const documents = {
  ANALYZING: ["facts.md", "What the project is and does"],
  STRATEGIZING: ["readers.md", "Who reads the guide, and what for"],
  REFINING_CONTENT: ["outline.md", "The guide's chapters"],
  GENERATING_OUTPUT: ["guide.md", "The guide itself"],
};

/** The run that the demo model knows: a guide to the project, from its README. */
/** @param {RunRequest} request @returns {Reply} */
export function writeGuide({ told: message, turns }) {
  const told = /<task>\n([^]*)\n<\/task>/.exec(message)?.[1] ?? message;
  if (told.startsWith("Propose what this run is to hold to")) return propose(message);
  if (told.startsWith("Plan the stages")) {
    const goal = "One document that the next phase builds on.";
    return handIn({
      status: "SUCCESS",
      stages: [{ stage_name: "Write it down", stage_goal: goal, tasks: [taskOf(told, message)] }],
    });
  }
  const run = /to the letter:\n- (\S+)/.exec(told)?.[1];
  if (run !== undefined) return handIn({ message: `${run} could not be finished.` });
  return execute(told, turns);
}

/** @param {string} told @returns {Reply} */
function propose(told) {
  const words = /## What is to change\n\n> ([^\n]*)/.exec(told)?.[1];
  const rule = (/** @type {string} */ type, /** @type {string} */ content) => ({
    instruction_type: type,
    content,
    supersedes: [],
    justification: "It follows from what you asked for.",
  });
  return handIn({
    status: "SUCCESS",
    summary: "I read the README, and write a **guide to the project** in one file.",
    instructions: [
      rule("scope", "The guide says what the project does and how to try it."),
      rule("style", "Short sentences, for people who see the project for the first time."),
      ...(words === undefined ? [] : [rule("change", words)]),
    ],
    questions:
      words === undefined ? ["Is the guide for users or for developers? I write for users."] : [],
  });
}

/** @param {string} told @param {string} message */
function taskOf(told, message) {
  const phase = /^The phase is (\w+):/m.exec(told)?.[1] ?? "";
  const known = Object.entries(documents).find(([name]) => name === phase);
  const [file, name] = known?.[1] ?? ["notes.md", "Notes"];
  const outputs = /what is handed over goes to (\S+\/)\./.exec(told)?.[1] ?? "";
  const listed = [...message.matchAll(/^(\S+\/workspace\/\S+\.md) \(/gm)].map(([, path]) => path);
  return {
    task_name: name,
    task_purpose: `${name}, in a few lines.`,
    related_references: [...new Set(listed)],
    output_path: phase === "GENERATING_OUTPUT" ? `${outputs}${file}` : file,
  };
}

/** @param {string} told @param {RunRequest["turns"]} turns @returns {Reply} */
function execute(told, turns) {
  const path = /^Write its output to: (\S+?)(?:,.*)?$/m.exec(told)?.[1] ?? "";
  if (turns.length === 0) {
    return { say: "I read the README.", calls: [call("read_file", { path: "README.md" })] };
  }
  if (turns.length === 1) {
    const lines = turns[0].calls[0].result
      .split("\n")
      .map((line) => line.replace(/^\s*\d+ \| /, ""));
    const title = lines.find((line) => line.startsWith("# "))?.slice(2) ?? "the project";
    const facts = lines.filter((line) => /^\w/.test(line)).slice(0, 6);
    const content = `# ${path.endsWith("guide.md") ? `A guide to ${title}` : title}\n\n${facts.join("\n")}\n`;
    return { calls: [call("write_file", { path, content })] };
  }
  return handIn({ status: "SUCCESS", summary: "From the README, in a few lines." });
}

/** @param {Record<string, unknown>} report @returns {Reply} */
function handIn(report) {
  return { calls: [call("attempt_completion", report)] };
}
