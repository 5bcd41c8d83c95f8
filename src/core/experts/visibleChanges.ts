import { IgnoredFiles } from "../access/ignoredFiles.js";
import { mayHoldSecrets } from "../access/secretFiles.js";
import { UserError } from "../errors.js";
import type { Comparison, Git } from "../ports/git.js";
import { visibleLine } from "../text/visibleText.js";
import { spoken } from "../text/words.js";
import { repositoryProblem } from "./repositoryProblem.js";
import type { WorkspaceHost } from "./workspaceHost.js";

/** The most files whose difference is read. */
const mostFiles = 200;

/** Changes as experts may see them. */
export interface VisibleChanges {
  /** The paths of changed files. */
  readonly files: readonly string[];
  /** The paths of changed files that `.rooignore` hides or that may hold secrets. */
  readonly leftOut: readonly string[];
  /** What `git diff` prints for the first 200 files; cut after 100,000 characters. */
  readonly diff: string;
}

/** What was found: changes, or why git is not or cannot be asked, to follow on a name. */
export type FoundChanges =
  | ({ readonly ok: true } & VisibleChanges)
  | { readonly ok: false; readonly why: string };

/** Reads what has changed, without the files that experts may not see. */
export async function visibleChanges(
  { git, files }: Pick<WorkspaceHost, "git" | "files">,
  what: Comparison,
): Promise<FoundChanges> {
  const isHidden = await new IgnoredFiles(files).once().read();
  const hides = (path: string) => isHidden(path) !== undefined;
  const problem = git && (await repositoryProblem(files));
  if (problem !== undefined) return { ok: false, why: `are not read: ${spoken(problem)}` };
  const changed = await git?.changed(what);
  if (changed === undefined) return { ok: false, why: await whyNotRead(git, what) };
  const isVisible = (path: string) => !hides(path) && !mayHoldSecrets(path);
  const visible = changed.filter(isVisible);
  const leftOut = changed.filter((path) => !isVisible(path));
  const read = visible.slice(0, mostFiles);
  const diff = read.length === 0 ? "" : ((await git?.diff(read, what)) ?? "");
  return { ok: true, files: visible, leftOut, diff };
}

/** Returns why git has said nothing of changes, to follow on a name. */
async function whyNotRead(git: Git | undefined, what: Comparison): Promise<string> {
  if ((await git?.status()) === undefined) {
    return "cannot be read: there is no Git repository here, or git does not answer";
  }
  switch (what.of) {
    case "workTree":
      return "cannot be read: there is no commit yet";
    case "staged":
      return "cannot be read: git does not answer";
    case "commit":
      return `cannot be read: there is no commit ${visibleLine(what.commit, 100)}`;
    case "branch":
      return `cannot be read: there is no branch or commit ${visibleLine(what.base, 100)} from which this branch comes`;
  }
}

/** @param why as in {@link FoundChanges} */
export function changesNotRead(why: string): UserError {
  const reason = why.replace(/\.$/, "");
  return new UserError("changesNotRead", "The changes {why}.", { why: reason });
}
