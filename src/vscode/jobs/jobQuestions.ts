import * as vscode from "vscode";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import { isOfJob, questionTaskId } from "../../core/jobs/jobUnit.js";
import type { Conversation } from "../panel/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { JobList } from "./jobList.js";

/**
 * Keeps the job questions in the conversation in line with the files: shows those that another process
 * has asked, and closes those that were answered elsewhere.
 */
export class JobQuestions implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  /** Ids of questions that the list has lacked once; it may have been read before they were asked. */
  private readonly missed = new Set<string>();

  constructor(
    private readonly list: JobList,
    private readonly workspace: CurrentWorkspace,
    private readonly conversation: Conversation,
  ) {
    this.subscription = list.onDidChange((jobs) => {
      this.show(jobs);
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private show(jobs: readonly JobOverview[]): void {
    const { session } = this.workspace;
    // Before the session has started, the earlier conversation is not known.
    if (session?.isStarted !== true) return;
    const asked = new Map(jobs.flatMap(({ questions }) => questions).map((one) => [one.id, one]));
    const { items, positions } = this.conversation.state;
    for (const item of [...items]) {
      if (item.kind !== "question" || item.answer !== undefined) continue;
      const question = asked.get(item.id);
      if (item.taskId === null || !isOfJob(item.taskId) || question?.answer === null) continue;
      if (question === undefined && !this.missed.has(item.id)) {
        this.missed.add(item.id);
        this.list.refresh();
        continue;
      }
      const text = question?.answer ?? vscode.l10n.t("It is not asked any more.");
      session.tell({ type: "answered", questionId: item.id, text });
    }
    for (const { id, text, answer } of asked.values()) {
      if (answer !== null || positions.has(id)) continue;
      const question = { questionId: id, taskId: questionTaskId(id), text, suggestions: [] };
      session.tell({ type: "question", mode: "rooroo-job-runner", ...question });
    }
  }
}
