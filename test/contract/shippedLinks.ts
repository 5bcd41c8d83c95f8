import { dirname, relative } from "node:path/posix";
import { printing, type Act, runId, type Shipped, taskId } from "./hostileWorkspace.js";

/** Something in the place of a file or a folder that the product reads or writes. */
export interface ShippedLink {
  readonly name: string;
  readonly shipped: Readonly<Record<string, Shipped>>;
  readonly act: Act;
}

const task = `.rooroo/tasks/${taskId}`;

/** Files that the product writes or reads, with what has it do so. */
const files: Readonly<Record<string, Act>> = {
  ".rooroo/queue.jsonl": "says proceed",
  [`${task}/task.json`]: "says proceed",
  [`${task}/report.json`]: "says proceed",
  [`${task}/question.json`]: "says proceed",
  [`${task}/approval.json`]: "says proceed",
  [`${task}/plan-queued.json`]: "says proceed",
  [`${task}/context.md`]: "says proceed",
  [`${task}/transcript.jsonl`]: "says proceed",
  [`${task}/changes/log.jsonl`]: "undoes the task",
  [`${task}/output/call_1.log`]: "says proceed",
  ".rooroo/logs/conversation.jsonl": "opens the window",
  ".rooroo/logs/activity.jsonl": "says proceed",
  [`.rooroo/locks/${taskId}.active`]: "says proceed",
  ".rooroo/locks/queue.active": "says proceed",
  ".rooroo/locks/drain.lock": "says proceed",
  ".rooroo/locks/.gitignore": "says proceed",
  ".rooroo/jobs/trip/stop": "runs the job",
  ".jixo/trip.log.md": "runs the job",
  "db/process_runs.md": "resumes the run",
  "db/templates/default_phases.md": "resumes the run",
  [`runs/${runId}/db/tasks.md`]: "resumes the run",
  ".roomodes": "looks at the status",
  ".rooignore": "says proceed",
  ".rooroo/rules/rules.md": "says proceed",
  ".roo/rules/rules.md": "says proceed",
  "AGENTS.md": "says proceed",
};

const folders: Readonly<Record<string, Act>> = {
  ".rooroo": "says proceed",
  ".rooroo/tasks": "says proceed",
  [task]: "says proceed",
  [`${task}/changes`]: "undoes the task",
  [`${task}/output`]: "says proceed",
  ".rooroo/logs": "says proceed",
  ".rooroo/locks": "says proceed",
  ".rooroo/rules": "says proceed",
  ".rooroo/jobs": "runs the job",
  ".rooroo/jobs/trip": "runs the job",
  ".rooroo/jobs/trip/runners": "runs the job",
  ".jixo": "runs the job",
  db: "resumes the run",
  runs: "resumes the run",
  [`runs/${runId}`]: "resumes the run",
  [`runs/${runId}/db`]: "resumes the run",
};

const fileTargets: readonly string[] = [
  "../beside/profile",
  "../beside/new-file",
  ".env",
  "ignored.txt",
  ".git/config",
  ".git/hooks/post-checkout",
  ".vscode/settings.json",
  ".vscode/tasks.json",
];
const folderTargets: readonly string[] = ["../beside", ".git/hooks", ".vscode", "src"];

/** In place of any file, beside links. */
const oddities: Readonly<Record<string, Shipped>> = {
  "a pipe": { kind: "pipe" },
  "a folder": { kind: "folder" },
  "of 1 TB": { size: 2 ** 40 },
};

/** Files that are added to where they lie, and what they could be other names of. */
const grown = /(transcript|conversation|activity)\.jsonl$|call_1\.log$/;
const otherNames: readonly string[] = ["../beside/profile", ".env", ".git/config"];

/** What is there unless it is what is replaced. */
const around: Readonly<Record<string, Shipped>> = {
  ".rooroo/queue.jsonl": `${JSON.stringify({
    taskId,
    parentTaskId: null,
    suggested_mode: "rooroo-developer",
    context_file_path: `${task}/context.md`,
    goal_for_expert: printing,
  })}\n`,
  "db/process_runs.md": `| run_id | user_request | status | current_phase_id | current_stage_id | current_task_id |
| --- | --- | --- | --- | --- | --- |
| ${runId} | Write a report | PENDING |  |  |  |
`,
};

export const shippedLinks: readonly ShippedLink[] = [
  ...Object.entries(files).flatMap(([path, act]) => [
    ...fileTargets.map((target) => linked(path, target, act)),
    ...Object.entries(oddities).map(([what, odd]) => ({
      name: `${path} is ${what}`,
      act,
      shipped: without(path, { [path]: odd }),
    })),
  ]),
  ...Object.entries(files)
    .filter(([path]) => grown.test(path))
    .flatMap(([path, act]) =>
      otherNames.map((hardLinkTo) => ({
        name: `${path} is another name of ${hardLinkTo}`,
        act,
        shipped: without(path, { [path]: { hardLinkTo } }),
      })),
    ),
  ...Object.entries(folders).flatMap(([path, act]) =>
    folderTargets.map((target) => linked(path, target, act)),
  ),
];

function linked(path: string, to: string, act: Act): ShippedLink {
  const target = relative(dirname(path), to);
  return {
    name: `${path} is a link to ${to}`,
    shipped: without(path, { [path]: { target } }),
    act,
  };
}

/** Returns what is shipped, without all below a path: a link stands in its place. */
function without(
  path: string,
  shipped: Readonly<Record<string, Shipped>>,
): Readonly<Record<string, Shipped>> {
  const rest = Object.entries(around).filter(([one]) => !`${one}/`.startsWith(`${path}/`));
  return { ...Object.fromEntries(rest), ...shipped };
}
