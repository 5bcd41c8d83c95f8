import type { ChangeStep } from "../../changes/changeLog.js";
import { ChangeStore } from "../../changes/changeStore.js";
import { messageOf, UserError } from "../../errors.js";
import { repositoryProblem } from "../../experts/repositoryProblem.js";
import type { JobName, TaskId } from "../../ids.js";
import type { Commits, FileStep } from "../../ports/commits.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { Clock, Signer } from "../../ports/system.js";
import { sameBytes } from "../../text/textFile.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { editJobLog } from "../documents/editJobLog.js";
import { type Job, readJob } from "../documents/jobFolder.js";
import { JobStore } from "../documents/jobStore.js";
import { isOver } from "../documents/taskStatus.js";
import { reasonOf, sessionOf } from "../documents/workLog.js";
import { objectiveText } from "./objective.js";

/** Folders of Rooroo's own documents, which are in no commit of a task. */
const own = [".jixo", ".rooroo"];
/** The most characters of a summary in a commit's message. */
const mostSummary = 4_000;
/** The most files that a message to people names. */
const mostNamed = 3;

/** A commit that the log calls for. */
interface Wanted {
  /** The task's text, as in `1.2. Move the parser`. */
  readonly title: string;
  readonly summary: string;
  readonly sessions: readonly TaskId[];
  readonly type: "done" | "unfinished" | "undo";
}

/** The dependencies of {@link TaskCommits}. */
export interface CommitServices {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly commits: Commits;
}

/** Returns the branch that a job's commits are on. */
function jobBranch({ stem }: Pick<Job, "stem">): string {
  const name = stem.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|(?<!-)-+$/g, "");
  return `job/${name === "" ? "unnamed" : name}`;
}

/**
 * Makes one commit of each task that is done, on the job's branch, with what the task has changed and nothing else
 * (R-JIXO-34). The log says which tasks these are, and the trailers of the commits which of them are made: so none is
 * lost and none is made twice, whenever the process is killed.
 */
export class TaskCommits {
  private readonly branch: string;
  /** The {@link key}s of sessions for which nothing is left to commit: of their changes, or of the undoing of these. */
  private readonly settled = new Set<string>();

  constructor(
    private readonly job: Job,
    private readonly services: CommitServices,
  ) {
    this.branch = jobBranch(job);
  }

  /**
   * Makes the job's branch the current one.
   *
   * @throws {UserError} if no commits can be made here now
   */
  async begin(): Promise<void> {
    const { files, lock, clock, commits } = this.services;
    const problem = await repositoryProblem(files);
    if (problem !== undefined) {
      throw new UserError("gitUnsafe", "No commits can be made here. {problem}", { problem });
    }
    const isNew = await lock.exclusively(lockName, () => commits.begin(this.branch, own));
    // A process that was killed may have begun the branch without noting it.
    if (!isNew && this.job.log.notes.commits_since !== undefined) return;
    const value = clock.now().toISOString();
    await new JobStore(files, lock, this.job).changeLog(({ log, version }) => {
      const edits = [{ type: "note", key: "commits_since", value } as const];
      return Promise.resolve({ log: editJobLog(log, edits, version), result: undefined });
    });
  }

  /**
   * Makes the commits that the log calls for and that are not made yet. Returns what could not be committed, in words
   * for people: it is tried again at the next call.
   */
  async settle(): Promise<readonly string[]> {
    try {
      return await this.services.lock.exclusively(lockName, () => this.commitAll());
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return [error.message];
    }
  }

  private async commitAll(): Promise<string[]> {
    const job = await readJob(this.services.files, this.job);
    const wanted = wantedCommits(job);
    const isNew = ({ type, sessions }: Wanted) =>
      sessions.some((id) => !this.settled.has(key(type, id)));
    if (!wanted.some(isNew)) return [];
    const { commits } = this.services;
    const [made, undone] = await commits.trailers(["Session", "Undoes"]);
    for (const id of made ?? []) this.settled.add(key("done", id));
    for (const id of undone ?? []) this.settled.add(key("undo", id));
    const problems: string[] = [];
    for (const one of wanted) {
      const { type } = one;
      const sessions = one.sessions.filter((id) => {
        // What was not committed needs no commit that takes it back.
        const isMade = type !== "undo" || made?.has(id) === true;
        if (!isMade && this.settled.has(key("done", id))) this.settled.add(key("undo", id));
        return isMade && !this.settled.has(key(type, id));
      });
      if (sessions.length > 0)
        problems.push(...(await this.commit({ ...one, sessions }, job.name)));
    }
    return problems;
  }

  /** Returns what is not in the commit, in words for people. */
  private async commit(wanted: Wanted, name: JobName): Promise<string[]> {
    const { files, problems } = await this.changesOf(wanted);
    const { commits } = this.services;
    const commit = { message: messageFor(wanted, name), files };
    const made = await commits.commit(this.branch, commit);
    const title = visibleLine(wanted.title, 100);
    const mixed = made.leftOut.filter(({ why }) => why === "mixed");
    const filtered = made.leftOut.filter(({ why }) => why === "filtered");
    if (mixed.length === 0)
      for (const id of wanted.sessions) this.settled.add(key(wanted.type, id));
    return [
      ...problems.map((problem) => `Not in the commit of ${title}: ${problem}`),
      ...(filtered.length === 0
        ? []
        : [`Not in the commit of ${title}, for git filters them: ${paths(filtered)}.`]),
      ...(mixed.length === 0
        ? []
        : [
            `${title} is not committed: ${paths(mixed)} has changes in the same lines that are not committed. Commit or stash them; the commit is then made when the job goes on.`,
          ]),
    ];
  }

  /** Returns what the sessions have changed, or what was undone of it. */
  private async changesOf({ sessions, type }: Wanted) {
    const found = new Map<string, FileStep[]>();
    const problems: string[] = [];
    for (const id of sessions) {
      const store = this.store(id);
      const { made, undone } = await store.steps();
      for (const [path, steps] of type === "undo" ? undone : made) {
        if (own.some((folder) => path.startsWith(`${folder}/`))) continue;
        try {
          const told = await Promise.all(steps.map((step) => contentsOf(step, store)));
          if (type === "undo") {
            const back = told.toReversed().map(({ before, after, wasExecutable }) => ({
              before: after,
              after: before,
              executable: wasExecutable,
            }));
            found.set(path, [...back, ...(found.get(path) ?? [])]);
          } else {
            const reached = await this.reached(path, told);
            found.set(path, [...(found.get(path) ?? []), ...reached]);
          }
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          problems.push(`${visibleLine(path, 200)}: ${messageOf(error)}`);
        }
      }
    }
    return { files: found, problems };
  }

  /** Leaves out a last step that was recorded, but not made, as where the process was killed in between. */
  private async reached(path: string, steps: readonly FileStep[]): Promise<readonly FileStep[]> {
    const last = steps.at(-1);
    if (last === undefined) return steps;
    const { files } = this.services;
    const isThere = (await files.stat(path))?.kind === "file";
    const now = isThere ? await files.readFile(path) : undefined;
    const isAsBefore = isSame(now, last.before) && !isSame(last.before, last.after);
    return isAsBefore ? steps.slice(0, -1) : steps;
  }

  private store(id: TaskId): ChangeStore {
    const { files, clock, signer } = this.services;
    return new ChangeStore(files, clock, signer, `.rooroo/tasks/${id}`);
  }
}

function key(type: Wanted["type"], session: TaskId): string {
  return `${type === "undo" ? "undo" : "commit"} ${session}`;
}

/** The lock under which commits are made in a workspace. */
const lockName = "job-commits";

/** Returns the commits that the log calls for, the oldest first, whether they are made or not. */
function wantedCommits({ log }: Job): Wanted[] {
  const since = log.notes.commits_since ?? "";
  const wanted: Wanted[] = [];
  /** The sessions of tasks that are not at their end yet, and of those that are, by the tasks' objectives. */
  const open = new Map<string, TaskId[]>();
  const ended = new Map<string, TaskId[]>();
  for (const entry of log.entries.toReversed()) {
    if ((entry.heading?.time ?? "") < since) continue;
    const objective = entry.fields.get("objective")?.value ?? "";
    const summary = entry.fields.get("summary")?.value ?? "";
    const title = objective.replace(/^Task /, "");
    if (reasonOf(entry) === "undone") {
      const task = objective.replace(/^Undo /, "");
      const sessions = [...(ended.get(task) ?? []), ...(open.get(task) ?? [])];
      wanted.push({ type: "undo", title: `Undo ${task.replace(/^Task /, "")}`, summary, sessions });
      ended.delete(task);
      open.delete(task);
      continue;
    }
    const session = entry.role === "Runner" ? sessionOf(entry) : undefined;
    if (session === undefined) continue;
    const sessions = [...(open.get(objective) ?? []), session];
    const isEnd = entry.result === "Succeeded" || entry.result === "Failed";
    if (!isEnd) {
      open.set(objective, sessions);
      continue;
    }
    open.delete(objective);
    ended.set(objective, [...(ended.get(objective) ?? []), ...sessions]);
    const type = entry.result === "Succeeded" ? "done" : "unfinished";
    wanted.push({ type, title, summary, sessions });
  }
  // Tasks that were taken out of the plan before they were done.
  const tasks = new Map(log.tasks.map((task) => [objectiveText({ type: "run", task }), task]));
  for (const [objective, sessions] of open) {
    const task = tasks.get(objective);
    if (task !== undefined && !isOver(task.status)) continue;
    const title = objective.replace(/^Task /, "");
    wanted.push({ type: "unfinished", title, summary: "The task is no longer planned.", sessions });
  }
  return wanted;
}

function messageFor({ title, summary, sessions, type }: Wanted, name: JobName): string {
  const subject = visibleLine(type === "unfinished" ? `Unfinished: ${title}` : title, 100);
  const body = visibleText(summary).slice(0, mostSummary).trim();
  const trailers = [
    `Job: ${visibleLine(name, 200)}`,
    `Task: ${visibleLine(title, 200)}`,
    ...sessions.map((id) => `${type === "undo" ? "Undoes" : "Session"}: ${id}`),
  ];
  return `${[subject, ...(body === "" ? [] : [body]), trailers.join("\n")].join("\n\n")}\n`;
}

async function contentsOf({ before, after }: ChangeStep, store: ChangeStore) {
  const executable = (state: ChangeStep["after"]) =>
    state.kind === "kept" && state.mode !== undefined ? (state.mode & 0o100) !== 0 : undefined;
  return {
    before: await store.content(before),
    after: await store.content(after),
    executable: executable(after),
    wasExecutable: executable(before),
  };
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameBytes(one, other);
}

function paths(files: readonly { readonly path: string }[]): string {
  const shown = files.slice(0, mostNamed).map(({ path }) => visibleLine(path, 200));
  const more = files.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
