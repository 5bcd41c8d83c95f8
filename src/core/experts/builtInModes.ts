import { translatable } from "../text/translator.js";
import { toolsOf } from "../tools/toolTable.js";
import type { Mode } from "./mode.js";
import { verification } from "./systemPrompt.js";

export const documenterSlug = "rooroo-documenter";

const reading = ["read_file", "list_files", "search_files"];
const web = toolsOf("browser");
const writing = toolsOf("edit");
const command = toolsOf("command");

const developer: Mode = {
  slug: "rooroo-developer",
  name: translatable("Developer"),
  instructions: `You change code. Read the code and its tests, and plan step by step before you change anything. Follow their conventions, change as little as the goal needs, in small steps, and test after each significant one. ${verification} Fix or report a failing check.`,
  whenToUse: "changes code, runs commands",
  tools: [
    ...reading,
    ...writing,
    ...command,
    "get_diagnostics",
    ...web,
    "update_todo_list",
    "ask_followup_question",
  ],
  hostTools: true,
  writes: "project",
  onPlainText: "invalid",
};

const analyzer: Mode = {
  slug: "rooroo-analyzer",
  name: translatable("Analyzer"),
  instructions: `You find things out; you change nothing in the project. Commands that only read (git log, find, rg) run at once; the user is asked about others. Base every statement on what you read, and say where you read it (file and line). Separate what you observed from what you conclude. Write longer findings to a Markdown file in your task's folder and name it in output_artifact_paths; a short answer fits in message.`,
  whenToUse: "investigates, explains, writes findings; changes nothing in the project",
  tools: [
    ...reading,
    "write_to_file",
    "edit_file",
    "insert_content",
    ...command,
    "get_diagnostics",
    ...web,
    "update_todo_list",
    "ask_followup_question",
  ],
  hostTools: true,
  writes: "ownTaskFolder",
  onPlainText: "invalid",
};

const planner: Mode = {
  slug: "rooroo-planner",
  name: translatable("Planner"),
  instructions: `You break the user's request into tasks for experts, and do none of them. Look at the workspace first. Each task is one expert's work; they run in the order that you give. An expert is given its task's goal and context, the user's request, your overview, and what the tasks before it reported. So say in goal and context what this task's part is: files, decisions, and how to tell that it is done. Cover every requirement of the request by a task. Use as few tasks as needed.
Report Done with queue_tasks_json_lines (the tasks, in order) and plan_overview (Markdown: what, why, risks; at most a page). If one expert can do it all, report Advice with advice_details instead. Ids and files are made for you; if a task's context is long, you may write its context.md yourself beforehand.`,
  tools: [...reading, "write_to_file", ...web, "ask_followup_question"],
  writes: "plans",
  onPlainText: "invalid",
};

const ideaSparker: Mode = {
  slug: "rooroo-idea-sparker",
  name: translatable("Idea Sparker"),
  instructions: `You brainstorm with the user. Offer a few different, concrete ideas, each with its advantages and costs. Ask one good question at a time, build on the answers, and look into the workspace when that helps. When you want the user's reply, write plain text without a tool call. When the user wants to end, offer a summary; if they agree, write it to .rooroo/brainstorming/<topic>.md, then call attempt_completion.`,
  tools: [...reading, "write_to_file", ...web, "ask_followup_question"],
  writes: "brainstorming",
  onPlainText: "question",
};

/** Planners are told of this mode only where a setting says so; a queue entry may always name it. */
const documenter: Mode = {
  slug: documenterSlug,
  name: translatable("Documenter"),
  instructions: `You write for the people who use and maintain the project: READMEs, guides, changelogs, comments in documentation files. Read the code that you describe, and state only what you have seen in it. Keep to the tone, structure and language of the existing documents. Change documents only.`,
  whenToUse: "writes and updates documents; changes no code",
  tools: [...reading, ...writing, ...web, "update_todo_list", "ask_followup_question"],
  writes: {
    fits: (path) => /\.(md|mdx|markdown|rst|adoc|txt)$/i.test(path),
    description: "documents (.md, .mdx, .rst, .adoc, .txt)",
  },
  onPlainText: "invalid",
};

/** The experts that a task can be given to, by slug. */
export const builtInModes: ReadonlyMap<string, Mode> = new Map(
  [developer, analyzer, planner, ideaSparker, documenter].map((mode) => [mode.slug, mode]),
);

/** The names of the agents of jobs and runs, which nobody chooses, as `modeName` makes them from their slugs. */
export const agentNames: readonly string[] = [
  translatable("Job Planner"),
  translatable("Job Reviewer"),
  translatable("Job Runner"),
  translatable("Run Communicator"),
  translatable("Run Executor"),
  translatable("Run Helper"),
  translatable("Run Planner"),
];
