import * as vscode from "vscode";
import type { JobState, RunnerView } from "../../core/jobs/jobOverview.js";
import type { JobNode } from "./jobRows.js";
import { shorten } from "../shorten.js";
import { click, plainMarkdown, problemRow, themeIcon, treeRow } from "../work/treeRow.js";

type NodeOf<K extends JobNode["kind"]> = Extract<JobNode, { kind: K }>;
type Look = readonly [words: string, icon: string, color?: string];

/** The maximum length of a label that leaves room for the description beside it. */
const besides = 24;

/** Returns the tree item of a row: its look, its accessible label, and what a click on it does. */
export function jobTreeItem(node: JobNode): vscode.TreeItem {
  switch (node.kind) {
    case "job":
      return jobItem(node);
    case "question":
      return questionItem(node);
    case "planner":
      return plannerItem(node);
    case "roadmap":
      return roadmapItem(node);
    case "phase":
      return phaseItem(node);
    case "task":
      return taskItem(node);
    case "log":
      return logItem(node);
    case "entry":
      return entryItem(node);
    case "older":
      return olderItem(node);
    case "problems":
      return problemsItem(node);
    case "problem":
      return problemRow(node.id, node.problem, "rooroo.openJobLog");
  }
}

export function jobStateLook(state: JobState): Look {
  const { t } = vscode.l10n;
  switch (state) {
    case "running":
      return [t("Running"), "loading~spin", "charts.blue"];
    case "needsYou":
      return [t("Needs You"), "bell-dot", "list.warningForeground"];
    case "left":
      return [t("Not Running"), "debug-pause", "charts.orange"];
    case "done":
      return [t("Done"), "pass", "testing.iconPassed"];
    case "stuck":
      return [t("Cannot Go On"), "error", "testing.iconFailed"];
  }
}

function jobItem({ id, job, ...node }: NodeOf<"job">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { runners, openQuestions, waiting } = node;
  const { state, progress, tasks, next, jobPath, logPath } = job;
  const isNew = state === "left" && logPath === null;
  const [words, icon, color]: Look = isNew
    ? [t("New"), "circle-outline"]
    : jobStateLook(waiting > 0 ? "needsYou" : state);
  const item = treeRow(id, job.name, state === "done" ? "folded" : "open");
  const percent = t("{0}%", progress);
  const atWork = runners === 1 ? t("1 runner") : t("{0} runners", runners);
  const waits =
    openQuestions === 0
      ? []
      : [openQuestions === 1 ? t("1 question") : t("{0} questions", openQuestions)];
  const how =
    waiting > 0
      ? t("waits for you")
      : runners > 0
        ? atWork
        : state === "done"
          ? ""
          : words.toLowerCase();
  item.description = isNew ? how : [percent, ...(how === "" ? [] : [how])].join(" · ");
  item.iconPath = themeIcon(icon, color);
  item.contextValue = [
    "job",
    state === "running" ? "running" : "idle",
    ...(openQuestions > 0 ? ["answerable"] : []),
    ...(logPath === null ? [] : ["hasLog"]),
  ].join(" ");
  const done = t("{0} of {1} tasks done", tasks.done, tasks.total);
  const tooltip = plainMarkdown(job.title ?? job.name).appendMarkdown("\n\n");
  const facts = [words, ...(tasks.total > 0 ? [done] : []), ...(runners > 0 ? [atWork] : [])];
  tooltip.appendText([...facts, ...waits].join(" · "));
  if (state !== "done")
    tooltip.appendMarkdown("\n\n").appendText(t("Next: {0}", next.slice(0, 500)));
  item.tooltip = tooltip.appendMarkdown("\n\n").appendCodeblock(jobPath, "text");
  const spoken = [t("Job {0}", job.name), ...facts, percent, ...waits];
  item.accessibilityInformation = { label: spoken.join(", ") };
  return item;
}

function questionItem({ id, question }: NodeOf<"question">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { text, answer } = question;
  const item = treeRow(id, shorten(text, 80) || question.id, "leaf");
  const tooltip = plainMarkdown(text).appendMarkdown("\n\n---\n\n");
  const spoken = shorten(text, 200);
  if (answer === null) {
    item.iconPath = themeIcon("question", "list.warningForeground");
    item.contextValue = "jobQuestion answerable";
    const goesOn = t("The work goes on without an answer, by the runner's best assumption.");
    item.tooltip = tooltip.appendText(goesOn);
    item.accessibilityInformation = { label: t("Question: {0}", spoken) };
    item.command = click("rooroo.answerJob", id);
    return item;
  }
  item.iconPath = themeIcon("comment-discussion");
  item.description = shorten(answer, 60);
  item.contextValue = "jobQuestion";
  tooltip.appendText(t("Answered; the next runner works it in."));
  item.tooltip = tooltip.appendMarkdown("\n\n").appendText(answer.slice(0, 1000));
  const label = t("Question: {0}, answered: {1}", spoken, shorten(answer, 200));
  item.accessibilityInformation = { label };
  item.command = click("rooroo.openJobFile", id);
  return item;
}

function plannerItem({ id, runner, isHere, waits }: NodeOf<"planner">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const [, icon, color] = jobStateLook(waits ? "needsYou" : "running");
  const item = treeRow(id, shorten(runner.objective, besides) || t("Planner"), "leaf");
  item.iconPath = themeIcon(icon, color);
  item.description = waits ? t("waits for you") : atWork(runner, isHere);
  item.contextValue = "jobPlanner";
  item.tooltip = runnerTooltip(plainMarkdown(runner.objective), runner);
  const label = [t("Planner"), shorten(runner.objective, 200), spokenTurn(runner)].join(", ");
  item.accessibilityInformation = { label };
  return item;
}

function roadmapItem({ id, done, total }: NodeOf<"roadmap">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = treeRow(id, t("Roadmap"), "open");
  item.description = `${done}/${total}`;
  item.iconPath = themeIcon("list-tree");
  item.contextValue = "jobRoadmap";
  item.accessibilityInformation = { label: t("Roadmap, {0} of {1} tasks done", done, total) };
  return item;
}

function phaseItem({ id, phase }: NodeOf<"phase">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { title, done, total, isOver } = phase;
  const item = treeRow(id, shorten(title, besides), isOver ? "folded" : "open");
  item.description = `${done}/${total}`;
  item.iconPath = isOver ? themeIcon("pass", "testing.iconPassed") : themeIcon("milestone");
  item.contextValue = "jobPhase";
  item.tooltip = plainMarkdown(title);
  item.accessibilityInformation = {
    label: t("Phase {0}, {1} of {2} tasks done", shorten(title, 200), done, total),
  };
  return item;
}

function taskItem({ id, task, isHere, waits }: NodeOf<"task">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { title, runner, isStale } = task;
  const [words, icon, color] = waits ? jobStateLook("needsYou") : taskLook(task);
  const label = shorten(title, runner === null && !isStale ? 80 : besides) || task.id;
  const item = treeRow(id, label, "leaf");
  item.iconPath = themeIcon(icon, color);
  if (waits) item.description = t("waits for you");
  else if (runner !== null) item.description = atWork(runner, isHere);
  else if (isStale) item.description = t("left behind");
  item.contextValue = "jobTask";
  const tooltip = plainMarkdown(title).appendMarkdown("\n\n").appendText(words);
  if (isStale) {
    const why = t("Its runner is gone. Whoever runs the job next takes it up again.");
    tooltip.appendMarkdown("\n\n").appendText(why);
  }
  item.tooltip = runner === null ? tooltip : runnerTooltip(tooltip, runner);
  const spoken = [words, shorten(title, 200), ...(runner === null ? [] : [spokenTurn(runner)])];
  item.accessibilityInformation = { label: spoken.join(", ") };
  item.command = waits
    ? { command: "rooroo.focusChat", title: "" }
    : click("rooroo.openJobLog", id);
  return item;
}

function taskLook({ status, runner, isStale }: NodeOf<"task">["task"]): Look {
  const { t } = vscode.l10n;
  switch (status) {
    case "Pending":
      return [t("Pending"), "circle-outline"];
    case "Locked":
      if (runner !== null) return [t("Running"), "loading~spin", "charts.blue"];
      return isStale
        ? [t("Left Behind"), "debug-pause", "charts.orange"]
        : [t("Locked"), "lock", "charts.blue"];
    case "Completed":
      return [t("Completed"), "pass", "testing.iconPassed"];
    case "Failed":
      return [t("Failed"), "error", "testing.iconFailed"];
    case "Cancelled":
      return [t("Cancelled"), "circle-slash", "disabledForeground"];
    case null:
      return [t("No Known Status"), "warning", "list.warningForeground"];
  }
}

function logItem({ id, count }: NodeOf<"log">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = treeRow(id, t("Work Log"), "folded");
  item.description = String(count);
  item.iconPath = themeIcon("history");
  item.contextValue = "jobLog";
  item.accessibilityInformation = { label: t("Work Log, {0} entries", count) };
  return item;
}

function entryItem({ id, entry }: NodeOf<"entry">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { objective, result, role, summary, number } = entry;
  const looks: Readonly<Record<string, Look>> = {
    Succeeded: [t("Succeeded"), "pass", "testing.iconPassed"],
    Failed: [t("Failed"), "error", "testing.iconFailed"],
    Pending: [t("Pending"), "debug-pause", "charts.orange"],
    Cancelled: [t("Cancelled"), "circle-slash", "disabledForeground"],
  };
  const [words, icon, color] = looks[result ?? ""] ?? [t("No Known Result"), "question"];
  const name = shorten(objective, 80) || t("Entry {0}", number ?? "");
  const item = treeRow(id, name, "leaf");
  item.description = shorten(summary, 80);
  item.iconPath = themeIcon(icon, color);
  item.contextValue = "jobEntry";
  const facts = [words, ...(role === null ? [] : [role]), timeText(entry.time)];
  const tooltip = plainMarkdown(objective).appendMarkdown("\n\n").appendText(facts.join(" · "));
  item.tooltip = tooltip.appendMarkdown("\n\n---\n\n").appendText(summary);
  item.accessibilityInformation = {
    label: [words, shorten(objective, 200), shorten(summary, 200)].join(", "),
  };
  item.command = click("rooroo.openJobLog", id);
  return item;
}

function olderItem({ id, count }: NodeOf<"older">): vscode.TreeItem {
  const item = treeRow(id, vscode.l10n.t("{0} older entries…", count), "leaf");
  item.contextValue = "jobOlder";
  item.command = click("rooroo.openJobLog", id);
  return item;
}

function problemsItem({ id, count }: NodeOf<"problems">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = treeRow(id, t("Problems"), "folded");
  item.description = String(count);
  item.iconPath = themeIcon("warning", "list.warningForeground");
  item.contextValue = "jobProblems";
  item.accessibilityInformation = { label: t("Problems, {0}", count) };
  return item;
}

function atWork({ turn, quota, label }: RunnerView, isHere: boolean): string {
  const turns = vscode.l10n.t("turn {0}/{1}", turn, quota);
  return isHere ? turns : `${turns} · ${label}`;
}

function spokenTurn({ turn, quota }: RunnerView): string {
  return vscode.l10n.t("turn {0} of {1}", turn, quota);
}

function runnerTooltip(
  text: vscode.MarkdownString,
  { runner, turn, quota, since, pid, label }: RunnerView,
): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const facts = [
    t("Turn {0} of {1}", turn, quota),
    t("since {0}", timeText(since)),
    t("{0} (process {1})", label, pid),
  ];
  text.appendMarkdown("\n\n").appendText(facts.join(" · "));
  return text.appendMarkdown("\n\n").appendCodeblock(runner, "text");
}

/** Formats a time as local time; returns it unchanged if it cannot be parsed. */
function timeText(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toLocaleString();
}
