import * as vscode from "vscode";
import type { Hunk } from "../../core/changes/hunks.js";
import type { ReviewedFile, TaskChanges, UndoneFile } from "../../core/changes/taskChanges.js";
import { UserError } from "../../core/errors.js";
import type { TaskId } from "../../core/ids.js";
import { lastPart } from "../../core/text/pathParts.js";
import { errorText } from "../errors/errorText.js";
import type { TaskList } from "../tasks/taskList.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { choose, idIn } from "../work/choose.js";
import type { Conversations } from "../workspace/conversations.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { EarlierVersions } from "./earlierVersions.js";
import { listed } from "./listed.js";
import type { OpenReviews } from "./openReviews.js";
import { activeReview, type Review, review as reviewOf, tabsOf } from "./reviews.js";

interface ChangeReviewDependencies {
  readonly workspace: CurrentWorkspace;
  readonly tasks: TaskList;
  readonly open: OpenReviews;
  readonly earlier: EarlierVersions;
  /** Called when changes were kept, reverted or undone. */
  readonly onSettled: () => void;
}

/** Shows the changes of tasks in VS Code's multi-file diff editor; keeps, reverts and undoes them. */
export class ChangeReview {
  private readonly workspace: CurrentWorkspace;
  private readonly tasks: TaskList;
  private readonly reviews: OpenReviews;
  private readonly earlier: EarlierVersions;
  private readonly onSettled: () => void;

  constructor({ workspace, tasks, open, earlier, onSettled }: ChangeReviewDependencies) {
    this.workspace = workspace;
    this.tasks = tasks;
    this.reviews = open;
    this.earlier = earlier;
    this.onSettled = onSettled;
  }

  /** @param argument the id of a tree row, a task or a plan */
  async open(argument: unknown): Promise<void> {
    const review = await this.choose(argument, false);
    if (review) await this.show(review);
  }

  /** Makes a review of a job or run, or of a part of one, known, so that its id can be given. */
  offer(review: Review): void {
    this.reviews.offer(review);
  }

  /** Lets the user keep or revert files and hunks, one after the other. */
  async keepOrRevert(argument: unknown): Promise<void> {
    const review = await this.choose(argument, true);
    if (!review) return;
    const { session } = this;
    const { choosePart } = await import("./choosePart.js");
    for (let first = true; ; first = false) {
      const changes = await session.changes();
      const files = await changes.files(review.taskIds);
      if (files.length === 0) {
        if (first) await this.showNothingToReview(review, await changes.damage(review.taskIds));
        break;
      }
      const part = await choosePart(files, review.title);
      if (!part) break;
      await this.apply(review, part.action, part.file, part.hunk);
    }
  }

  /**
   * Keeps or reverts the hunk that the cursor is in.
   *
   * @throws {UserError} if the cursor is not in a change of an open review
   */
  async here(action: "keep" | "revert"): Promise<void> {
    const { session } = this;
    const editor = vscode.window.activeTextEditor;
    const review = activeReview(await this.all());
    if (!editor || !review) {
      throw new UserError("noReviewOpen", "Open a review and place the cursor in a change.");
    }
    const { path } = await session.files.locate(editor.document.uri.fsPath);
    const [file] = await (await session.changes()).files(review.taskIds, path);
    const { partAt } = await import("./choosePart.js");
    const part = file && partAt(file, editor.selection.active.line);
    if (part) await this.apply(review, action, file, part.hunk);
    else
      throw new UserError("noChangeAtCursor", "There is no change at the cursor. Place it in one.");
  }

  /** Undoes the changes of a review if the user confirms it. Returns what became of each file. */
  async undo(argument: unknown): Promise<readonly UndoneFile[]> {
    const review = await this.choose(argument, true);
    if (!review) return [];
    const { session } = this;
    const changes = await this.whereChanged(review);
    const files = await changes.files(review.taskIds);
    const damage = await changes.damage(review.taskIds);
    if (files.length === 0) {
      await this.showNothingToReview(review, damage);
      return [];
    }
    const undo = t("Undo");
    const chosen = await vscode.window.showWarningMessage(
      t("Undo the changes of “{0}”?", shorten(review.goal, 80)),
      {
        modal: true,
        detail: [
          ...damage,
          listed(
            files.map(({ path }) => path),
            t,
          ),
        ].join("\n\n"),
      },
      undo,
    );
    if (chosen !== undo) return [];
    const { mayWrite } = await import("./mayWrite.js");
    const undone: (UndoneFile & { readonly taskId: TaskId })[] = [];
    await session.whileNotRunning(review.taskIds, async () => {
      // Newest first: several tasks of a plan may have changed the same file.
      for (const taskId of review.taskIds.toReversed()) {
        const ofTask = await (await this.whereChanged(review)).undo(taskId, mayWrite);
        undone.push(...ofTask.map((one) => ({ ...one, taskId })));
      }
    });
    this.onSettled();
    const { tellUndone } = await import("./tellUndone.js");
    await tellUndone(undone, session);
    this.earlier.refresh();
    const left = undone.filter((one) => one.type === "left");
    if (left.length === 0) await vscode.window.tabGroups.close(tabsOf(review), true);
    else if (tabsOf(review).length > 0) await this.show(review);
    this.tasks.refresh();
    const [only, ...more] = undone;
    const done =
      only !== undefined && more.length === 0 && left.length === 0
        ? t("Restored {0}.", shorten(lastPart(only.path), 60))
        : t(
            "Restored {0} of {1, plural, one {# file} other {# files}}.",
            undone.length - left.length,
            undone.length,
          );
    if (left.length === 0) void vscode.window.showInformationMessage(done);
    else {
      const { showSkipped } = await import("./skippedFiles.js");
      void showSkipped(review, done, left, { folder: session.folder, earlier: this.earlier });
    }
    return undone;
  }

  /** Returns the changes of a review's tasks: in the folder, or in the worktree of their plan. */
  private async whereChanged({ taskIds: [taskId = ""] }: Review): Promise<TaskChanges> {
    const { session } = this;
    const plans = await (await session.navigator()).plans();
    return (await plans?.changesOf(taskId)) ?? session.changes();
  }

  private get session() {
    return this.workspace.require();
  }

  private async choose(argument: unknown, fromEditor: boolean): Promise<Review | undefined> {
    const conversation: Pick<Conversations, "goalOf" | "workOf"> | undefined =
      this.workspace.session?.conversations;
    const isOfWork = (id: string): boolean => conversation?.workOf(id) !== undefined;
    if (typeof argument === "string" && !this.reviews.isOffered(argument) && isOfWork(argument)) {
      const goal = conversation?.goalOf(argument) ?? argument;
      this.reviews.offer(reviewOf("task", argument, goal, [argument]));
    }
    const reviews = await this.all();
    const active = fromEditor ? activeReview(reviews)?.id : undefined;
    const nothing = () => new UserError("noChanges", "There are no changes to review.");
    return choose(reviews, idIn(argument) ?? active, {
      names: ({ id }) => [id],
      show: ({ goal, id }) => ({ label: shorten(goal, 80), detail: id }),
      placeHolder: t("Select the task or plan whose changes to review"),
      unknown: nothing,
      none: nothing,
    });
  }

  private async all(): Promise<Review[]> {
    return this.reviews.all(await this.session.overview());
  }

  private async show(review: Review): Promise<void> {
    const { session } = this;
    const changes = await session.changes();
    const files = await changes.files(review.taskIds);
    const damage = await changes.damage(review.taskIds);
    const unshown = files.flatMap(({ path, problem }) =>
      problem === undefined ? [] : [`${path}: ${errorText(problem)}`],
    );
    const problems = [...damage, ...unshown];
    if (problems.length > 0) {
      void vscode.window.showWarningMessage(
        t("Some changes cannot be shown. {0}", listed(problems, t)),
      );
    }
    const shown = files.filter(({ problem }) => problem === undefined);
    // A review has one editor, so the outdated one is closed first.
    await vscode.window.tabGroups.close(tabsOf(review), true);
    if (shown.length === 0) {
      if (problems.length === 0) await this.showNothingToReview(review, []);
      return;
    }
    this.earlier.refresh();
    const resources = shown.map(({ path, before, now }) => {
      const uri = vscode.Uri.joinPath(session.folder, path);
      const left = before && this.earlier.uri(session.folder, path, review.taskIds, "before");
      return [uri, left, now && uri];
    });
    await vscode.commands.executeCommand("vscode.changes", review.title, resources);
  }

  private async apply(
    review: Review,
    action: "keep" | "revert" | "show",
    file: ReviewedFile,
    hunk: Hunk | undefined,
  ): Promise<void> {
    const { session } = this;
    if (action === "show") {
      await this.showFile(review, file, hunk);
      return;
    }
    const changes = await session.changes();
    const { mayWrite } = await import("./mayWrite.js");
    await session.whileNotRunning(file.taskIds, () =>
      action === "keep" ? changes.keep(file, hunk) : changes.revert(file, hunk, mayWrite),
    );
    this.onSettled();
    this.earlier.refresh();
    // A file with no changes left disappears from the editor; otherwise the editor can stay as it is.
    const [rest] = await (await session.changes()).files(review.taskIds, file.path);
    if (!rest && tabsOf(review).length > 0) await this.show(review);
  }

  private async showFile(
    review: Review,
    { path, before, now, taskIds }: ReviewedFile,
    hunk: Hunk | undefined,
  ): Promise<void> {
    const { session } = this;
    const uri = vscode.Uri.joinPath(session.folder, path);
    const left = this.earlier.uri(session.folder, path, taskIds, "before");
    const line = new vscode.Position(hunk?.nowStart ?? 0, 0);
    const selection = new vscode.Range(line, line);
    if (!before || !now) await vscode.commands.executeCommand("vscode.open", now ? uri : left);
    else
      await vscode.commands.executeCommand("vscode.diff", left, uri, `${path} · ${review.title}`, {
        selection,
      });
  }

  /** @param damage problems in the change logs, because of which changes may be missing */
  private async showNothingToReview(review: Review, damage: readonly string[]): Promise<void> {
    if (damage.length > 0) {
      void vscode.window.showWarningMessage(listed(damage, t));
      return;
    }
    const { tasks } = await this.session.overview();
    const own = tasks.filter(({ taskId, hasChanges }) => {
      return hasChanges && review.taskIds.includes(taskId);
    });
    const isUndone = own.length > 0 && own.every(({ undone }) => undone !== undefined);
    void vscode.window.showInformationMessage(
      isUndone
        ? t("The changes of “{0}” were undone.", shorten(review.goal, 80))
        : t("There are no changes to review."),
    );
  }
}
