import { type ExpertRequest, plays } from "../cli/script.js";
import type { HttpReply } from "../fakes/httpModel.js";
import { calls, completes } from "../fakes/navigatorWorld.js";

/** What a workspace begins with. */
export const before = { "notes.md": "first\n", "src/kept.txt": "kept\n" };

/** What it holds after the plan, however often that was cut off: every change once. */
export const after = {
  "notes.md": "first\nsecond\n",
  "src/kept.txt": "kept\n",
  "src/one.txt": "one\n",
  "ran.txt": "ran\n",
  "src/five.txt": "five\n",
};

/** By goal: the file in the task's own folder, and what it says. */
export const artifacts = {
  Find: { name: "findings.md", content: "found\n" },
  Five: { name: "notes.md", content: "noted\n" },
};

interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Where to look whether a step that was cut off has happened, and what is there then. */
  readonly look: string;
  readonly trace: string;
}

const one: Step = write("src/one.txt", "one\n");
const two: Step = {
  tool: "insert_content",
  args: { path: "notes.md", line: 99, content: "second\n" },
  look: "notes.md",
  trace: "second",
};
const three: Step = {
  tool: "execute_command",
  args: { command: "printf 'ran\\n' >> ran.txt" },
  look: "ran.txt",
  trace: "ran",
};

function write(path: string, content: string): Step {
  return { tool: "write_to_file", args: { path, content }, look: path, trace: content.trim() };
}

/**
 * Returns the next call, or `undefined` when all steps are done. What was cut off is looked at before it is
 * decided on, as experts are told to; doing a step twice would show in the files.
 */
function nextCall({ results }: ExpertRequest, steps: readonly Step[]): HttpReply | undefined {
  let at = 0;
  let unsure = false;
  for (const { name, content } of results) {
    const step = steps[at];
    if (step === undefined) break;
    if (unsure && name === "read_file") {
      unsure = false;
      // A line as it is shown; that there is no such file says its name.
      if (content.includes(`| ${step.trace}`)) at++;
    } else if (name === step.tool) {
      unsure = content.includes("not repeated");
      if (!unsure) at++;
    }
  }
  const step = steps[at];
  if (step === undefined) return undefined;
  return unsure ? calls("read_file", { path: step.look }) : calls(step.tool, { ...step.args });
}

function expert(request: ExpertRequest): HttpReply {
  const folder = `.rooroo/tasks/${request.taskId}`;
  const findings = `${folder}/${artifacts.Find.name}`;
  const notes = `${folder}/${artifacts.Five.name}`;
  const [steps, paths] = {
    One: [[one], ["src/one.txt"]],
    Two: [[two], ["notes.md"]],
    Three: [[three], ["ran.txt"]],
    Find: [[write(findings, artifacts.Find.content)], [findings]],
    Five: [[write("src/five.txt", "five\n"), write(notes, artifacts.Five.content)], [notes]],
  }[request.goal] as [Step[], string[]];
  return (
    nextCall(request, steps) ??
    completes({ message: `${request.goal} is done.`, output_artifact_paths: paths })
  );
}

export const goals = ["One", "Two", "Three", "Find", "Five"];

function planner({ results }: ExpertRequest): HttpReply {
  if (results.length === 0) return calls("list_files", { path: "" });
  const tasks = goals.map((goal) => ({
    suggested_mode: goal === "Find" ? "rooroo-analyzer" : "rooroo-developer",
    goal_for_expert: goal,
    context: `All about ${goal}.`,
  }));
  return completes({ message: "Planned.", queue_tasks_json_lines: tasks });
}

/** A planner and five experts, whose answers follow from each request alone. */
export const fiveTaskPlan = plays(
  { route: "plan", goal: "Build it" },
  { "rooroo-planner": planner, "rooroo-developer": expert, "rooroo-analyzer": expert },
);
