import { modeName } from "../../core/experts/modeName.js";
import type { TaskState } from "../../core/navigator/overview/overview.js";
import type { Completions } from "../../protocol/messages.js";
import { t } from "../text/words.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** Returns what completes commands in the panel at this moment, as the files have it. */
export async function completions(session: WorkspaceSession): Promise<Completions> {
  const [{ tasks, experts }, jobs, own] = await Promise.all([
    session.overview(),
    session.works.jobOverviews(),
    session.navigator().then((navigator) => navigator.commands.own()),
  ]);
  const inState = (...states: TaskState[]) =>
    tasks
      .filter(({ state }) => states.includes(state))
      .map(({ taskId, goal }) => ({ value: taskId, label: goal }));
  const builtIn = ["rooroo-developer", "rooroo-analyzer"];
  return {
    commands: own.map(({ name, description, hint }) => ({ name, description, hint })),
    experts: [
      ...builtIn.map((slug) => ({ value: slug, label: t(modeName(slug)) })),
      ...experts.map(({ slug, name, description }) => {
        return { value: slug, label: description === "" ? name : `${name}: ${description}` };
      }),
    ],
    jobs: jobs.map(({ name, progress }) => ({ value: name, label: t("{0}% done", progress) })),
    asking: tasks.flatMap(({ taskId, question }) =>
      question === undefined ? [] : [{ value: taskId, label: question.text }],
    ),
    resumable: inState("interrupted", "failed"),
    foreign: inState("foreign"),
  };
}
