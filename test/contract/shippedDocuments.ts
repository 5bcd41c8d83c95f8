import { dirname, relative } from "node:path/posix";
import { type Act, runId, type Shipped, taskId } from "./hostileWorkspace.js";

/** What a repository may ship as a document, and what somebody would like to come of it. */
export interface ShippedDocument {
  readonly name: string;
  readonly shipped: Readonly<Record<string, Shipped>>;
  readonly act: Act;
}

/** Paths of what no model is to see, or that lead out of the workspace. */
const contexts: readonly string[] = [
  ".env",
  "./.env",
  "src/../.env",
  ".rooroo/../.env",
  ".ENV",
  "ignored.txt",
  "../beside/profile",
  "src/../../beside/profile",
  ".git/config",
  ".git/hooks/pre-commit",
  "link-to-env",
  "folder-link/profile",
];

const links: Readonly<Record<string, Shipped>> = {
  "link-to-env": { target: ".env" },
  "folder-link": { target: "../beside" },
};

/** Documents whose text an agent is told, with what has it do so. */
const told: Readonly<Record<string, Act>> = {
  "context.md": "begins a session",
  ".jixo/trip.job.md": "runs the job",
  ".jixo/trip.log.md": "runs the job",
  "guidelines/style.md": "resumes the run",
  "assets/notes.md": "resumes the run",
  [`runs/${runId}/feedback_for_user.md`]: "resumes the run",
};
/** What no model is to see. */
const hidden: readonly string[] = [".env", "ignored.txt", "../beside/profile"];

export const shippedTexts: readonly ShippedDocument[] = Object.entries(told).flatMap(
  ([path, act]) =>
    hidden.map((to) => ({
      name: `${path}, a link to ${to}`,
      act,
      shipped: {
        [path]: { target: relative(dirname(path), to) },
        "db/process_runs.md": runTable(
          path.startsWith("runs/") ? "AWAITING_CONFIRMATION" : "PENDING",
        ),
      },
    })),
);

/** Undoing it would write, remove or open to all what the task never touched. */
const undone: Readonly<Record<string, { path: string; before: object; text?: string }>> = {
  "puts a text into a file": { path: "src/a.js", before: kept(1), text: "let b;\n" },
  "removes a file": { path: "src/a.js", before: { kind: "absent" } },
  "removes an ignored file": { path: "ignored.txt", before: { kind: "absent" } },
  "removes .env": { path: ".env", before: { kind: "absent" } },
  "makes a file": { path: "src/b.js", before: kept(1), text: "let b;\n" },
  "lets everybody write a file": { path: "src/a.js", before: { ...kept(1), mode: 0o777 } },
  "puts a text into a hook": { path: ".git/hooks/pre-commit", before: kept(1), text: "evil\n" },
  "makes settings of an editor": { path: ".vscode/tasks.json", before: kept(1), text: "{}\n" },
  "writes beside the workspace": { path: "../beside/profile", before: kept(1), text: "evil\n" },
};

export const shippedContexts: readonly ShippedDocument[] = contexts.map((path) => ({
  name: `a queue line whose context is ${path}`,
  shipped: {
    ...links,
    ".rooroo/queue.jsonl": `${JSON.stringify({
      taskId,
      parentTaskId: null,
      suggested_mode: "rooroo-developer",
      context_file_path: path,
      goal_for_expert: "Tidy up",
    })}\n`,
  },
  act: "says proceed",
}));

/** @param now what the project's files say */
export function shippedChanges(now: (path: string) => string | undefined): ShippedDocument[] {
  return Object.entries(undone).map(([what, { path, before, text }]) => {
    const at = "2026-01-02T03:04:05.000Z";
    const current = now(path);
    const after = current === undefined ? { kind: "absent" } : kept(2);
    const lines = [
      { schema: 1, at, path, type: "before", state: before },
      { schema: 1, at, path, type: "after", state: after },
    ];
    const folder = `.rooroo/tasks/${taskId}`;
    return {
      name: `a log of changes that ${what}`,
      shipped: {
        [`${folder}/task.json`]: JSON.stringify({
          schema: 1,
          taskId,
          parentTaskId: null,
          planId: null,
          mode: "rooroo-developer",
          goal: "Tidy up",
          createdAt: at,
        }),
        [`${folder}/changes/log.jsonl`]: lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
        [`${folder}/changes/1`]: text ?? current ?? "",
        ...(current === undefined ? {} : { [`${folder}/changes/2`]: current }),
      },
      act: "undoes the task",
    };
  });
}

function runTable(status: string): string {
  return `| run_id | user_request | status | current_phase_id | current_stage_id | current_task_id |
| --- | --- | --- | --- | --- | --- |
| ${runId} | Write a report | ${status} |  |  |  |
`;
}

function kept(content: number): { readonly kind: "kept"; readonly content: string } {
  return { kind: "kept", content: String(content) };
}
