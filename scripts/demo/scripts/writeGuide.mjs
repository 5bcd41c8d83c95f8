import { taskIn } from "../readRequest.mjs";
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
export function writeGuide({ step, told, turns }) {
  switch (step) {
    case "proposal":
      return propose(told);
    case "stages": {
      const stage_goal = "One document that the next phase builds on.";
      const stages = [{ stage_name: "Write it down", stage_goal, tasks: [taskFor(told)] }];
      return handIn({ status: "SUCCESS", stages });
    }
    case "tasks":
      return handIn({ status: "SUCCESS", tasks: [taskFor(told)] });
    case "tools":
      return handIn({ status: "SUCCESS", tool_tasks: [] });
    case "work":
      return execute(told, turns);
    case "command":
      return handIn({ status: "FAILED", message: "The demo model has no script for commands." });
    case "message": {
      const run = /\brun-\d+-\d+-\d+\b/.exec(taskIn(told))?.[0] ?? "The run";
      return handIn({ message: `${run} could not be finished.` });
    }
  }
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

/** Returns the one task of a phase. It is told where the phase's files go, and that path names the phase. @param {string} message */
function taskFor(message) {
  const paths = pathsIn(taskIn(message));
  const folder = paths.find((path) => path.includes("/workspace/")) ?? "";
  const outputs = paths.find((path) => /(^|\/)outputs\//.test(path)) ?? "";
  const known = Object.entries(documents).find(([phase]) => folder.split("/").includes(phase));
  const [phase, [file, name]] = known ?? ["", ["notes.md", "Notes"]];
  const isDocument = (/** @type {string} */ path) => /\/workspace\/.+\.md$/.test(path);
  return {
    task_name: name,
    task_purpose: `${name}, in a few lines.`,
    related_references: [...new Set(pathsIn(message).filter(isDocument))],
    output_path: phase === "GENERATING_OUTPUT" ? `${outputs}/${file}` : file,
  };
}

/** Returns the paths into folders of runs, in order; what ends a sentence is no part of them. @param {string} text */
function pathsIn(text) {
  const words = text.split(/[\s,:;()`"]+/).map((word) => word.replace(/[./]+$/, ""));
  return words.filter((word) => /(^|\/)(workspace|outputs)\//.test(word));
}

/** @param {string} told @param {RunRequest["turns"]} turns @returns {Reply} */
function execute(told, turns) {
  // Its output comes before what it begins from.
  const path = pathsIn(taskIn(told))[0] ?? "";
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
