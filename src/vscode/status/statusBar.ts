import * as vscode from "vscode";
import { modeName } from "../../core/experts/modeName.js";
import type { TaskView } from "../../core/navigator/overview.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";

/** The status bar entry: what needs the user, else what runs, else how many tasks are queued. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("rooroo", vscode.StatusBarAlignment.Left, 10);
    this.item.name = "Rooroo";
    this.item.command = "rooroo.focusChat";
  }

  get text(): string {
    return this.item.text;
  }

  show(status: PanelStatus, tasks: readonly TaskView[]): void {
    if (status.workspace === "none") {
      this.item.hide();
      return;
    }
    const { text, spoken, urgent } = this.words(status, tasks);
    this.item.text = text;
    this.item.tooltip = tooltip(status, tasks);
    this.item.backgroundColor = urgent
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    this.item.accessibilityInformation = { label: spoken, role: "button" };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  private words(
    status: PanelStatus,
    tasks: readonly TaskView[],
  ): { text: string; spoken: string; urgent: boolean } {
    const say = (icon: string, words: string, urgent = false) => {
      return { text: `$(${icon}) ${words}`, spoken: `Rooroo: ${words}`, urgent };
    };
    const running = tasks.filter((task) => task.state === "running");
    if (status.workspace === "untrusted") return say("shield", "Rooroo");
    if (status.needsYou > 0) {
      return say("bell-dot", vscode.l10n.t("Rooroo needs you ({0})", status.needsYou), true);
    }
    if (status.heldBy !== null)
      return say("vm-running", vscode.l10n.t("Rooroo is running elsewhere"));
    if (status.busy) {
      const what = whoWorks(running);
      const more = status.queued > 0 ? ` (+${status.queued})` : "";
      return say("loading~spin", `${what}${more}`);
    }
    const [job, ...others] = status.jobs;
    if (job !== undefined) {
      const percent = vscode.l10n.t(
        "job {0} {1}%",
        withoutIcons(shorten(job.name, 24)),
        job.progress,
      );
      return say("loading~spin", `${percent}${others.length > 0 ? ` (+${others.length})` : ""}`);
    }
    const [run, ...more] = status.runs;
    if (run !== undefined) {
      const { done, total } = run.tasks;
      const words = total === 0 ? vscode.l10n.t("run") : vscode.l10n.t("run {0}/{1}", done, total);
      return say("loading~spin", `${words}${more.length > 0 ? ` (+${more.length})` : ""}`);
    }
    if (status.queued > 0)
      return say("compass", vscode.l10n.t("Rooroo: {0} queued", status.queued));
    return say("compass", "Rooroo");
  }
}

function whoWorks([first, ...others]: readonly TaskView[]): string {
  if (first === undefined) return vscode.l10n.t("Rooroo is working");
  if (others.length > 0) return vscode.l10n.t("{0} experts are working", others.length + 1);
  return vscode.l10n.t("{0} is working", modeName(first.mode));
}

function tooltip(status: PanelStatus, tasks: readonly TaskView[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  const line = (icon: string, words: string) => {
    text.appendMarkdown(`$(${icon}) `).appendText(words).appendMarkdown("\n\n");
  };
  if (status.workspace === "untrusted") {
    line("shield", vscode.l10n.t("Nothing runs in Restricted Mode."));
  }
  for (const task of tasks.filter(({ state }) => state === "needsYou").slice(0, 5)) {
    line("bell-dot", shorten(task.question?.text ?? task.goal, 100));
  }
  for (const task of tasks.filter(({ state }) => state === "running").slice(0, 5)) {
    line("loading~spin", shorten(task.goal, 100));
  }
  for (const { name, progress, questions } of status.jobs.slice(0, 5)) {
    const count = questions.length;
    const asks = count === 0 ? "" : vscode.l10n.t(", {0} questions", count);
    line("loading~spin", vscode.l10n.t("Job {0}: {1}%", shorten(name, 60), progress) + asks);
  }
  for (const { request, tasks: counts } of status.runs.slice(0, 5)) {
    const { done, total } = counts;
    line(
      "loading~spin",
      vscode.l10n.t("Run {0}: {1} of {2} tasks done", shorten(request, 60), done, total),
    );
  }
  if (status.heldBy !== null) {
    line("vm-running", vscode.l10n.t("The queue is being run by {0}.", status.heldBy));
  }
  if (status.queued > 0) line("list-ordered", vscode.l10n.t("{0} queued", status.queued));
  const { name } = status.model;
  line("server", name === "" ? vscode.l10n.t("No model selected.") : name);
  return text;
}

/** Removes icon syntax from a name; the status bar would draw an icon for it. */
function withoutIcons(name: string): string {
  return name.replaceAll("$(", "(");
}
