import * as vscode from "vscode";
import type { TaskList } from "../tasks/taskList.js";
import { activeReview, type Review, reviewsOf } from "./reviews.js";

/** The reviews that can be opened, and whether one is in front: the buttons in the editor's title bar depend on that. */
export class OpenReviews implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable;
  private isShown: boolean | undefined;
  /** Reviews of jobs and runs, their parts and sessions that the user asked for, by id: no list contains them. */
  private readonly ofWork = new Map<string, Review>();

  constructor(private readonly tasks: TaskList) {
    const look = () => void this.showContext();
    this.subscriptions = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.window.tabGroups.onDidChangeTabGroups(look),
      tasks.onDidChange(look),
    );
  }

  /** Makes a review of a job or run, or of a part of one, known, so that its id can be given. */
  offer(review: Review): void {
    this.ofWork.set(review.id, review);
  }

  isOffered(id: string): boolean {
    return this.ofWork.has(id);
  }

  /** Returns all reviews: those of these tasks and plans, and those of jobs and runs. */
  all(overview = this.tasks.overview): Review[] {
    return [...reviewsOf(overview), ...this.ofWork.values()];
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Updates the context key for the review buttons in the editor's title bar. */
  private async showContext(): Promise<void> {
    const isShown = activeReview(this.all()) !== undefined;
    if (isShown === this.isShown) return;
    this.isShown = isShown;
    await vscode.commands.executeCommand("setContext", "rooroo.reviewing", isShown);
  }
}
