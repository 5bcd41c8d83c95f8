import { call } from "./script.mjs";

/** @typedef {import("./script.mjs").Reply} Reply */
/** @typedef {import("../readRequest.mjs").RunRequest} RunRequest */

/** What each phase adds, as the demo model plans it. */
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
  if (told.startsWith("Plan how this run is prepared")) {
    const purposes = {
      T00: "Make the run's folders",
      T02: "Write down what you confirm",
      T03: "List the material",
      T04: "Say what the material is",
    };
    const tasks = Object.entries(purposes).map(([id, purpose]) => ({
      task_id: id,
      task_name: purpose,
      task_purpose: `${purpose}.`,
    }));
    return handIn({ status: "SUCCESS", tasks });
  }
  if (told.startsWith("Propose what this run is to hold to")) return propose(message);
  if (told.startsWith("Plan the stages")) {
    const goal = "One document that the next phase builds on.";
    return handIn({
      status: "SUCCESS",
      stages: [{ stage_name: "Write it down", stage_goal: goal }],
    });
  }
  if (told.startsWith("Plan the tasks")) return planTasks(told, message);
  const needed = /to the letter:\n([^]*?)(?:\n\n|$)/.exec(told)?.[1];
  if (needed !== undefined) return say(needed.split("\n").map((line) => line.slice(2)));
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

/** @param {string} told @param {string} message @returns {Reply} */
function planTasks(told, message) {
  const phase = /^It is in the phase (\w+),/m.exec(told)?.[1] ?? "";
  const known = Object.entries(documents).find(([name]) => name === phase);
  const [file, name] = known?.[1] ?? ["notes.md", "Notes"];
  const outputs = /what is handed over goes to (\S+\/)\./.exec(told)?.[1] ?? "";
  const listed = [...message.matchAll(/^(\S+\/workspace\/\S+\.md) \(/gm)].map(([, path]) => path);
  const task = {
    task_name: name,
    task_purpose: `${name}, in a few lines.`,
    related_references: [...new Set(listed)],
    output_path: phase === "GENERATING_OUTPUT" ? `${outputs}${file}` : file,
  };
  return handIn({ status: "SUCCESS", tasks: [task] });
}

/** @param {readonly string[]} needed @returns {Reply} */
function say(needed) {
  const [first = "", second = ""] = needed;
  const message = needed.includes("[Job Completed]")
    ? `[Job Completed] The guide is written (${second}). You find it in ${needed.at(-1)}`
    : `Please look over what ${first} is to hold to; all of it is in ${second}.`;
  return handIn({ message });
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
