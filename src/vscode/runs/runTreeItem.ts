import * as vscode from "vscode";
import type { RunProgress } from "../../core/runs/runOverview.js";
import type { RunNode } from "./runRows.js";
import { shorten } from "../shorten.js";
import { click, plainMarkdown, problemRow, themeIcon, treeRow } from "../work/treeRow.js";

type NodeOf<K extends RunNode["kind"]> = Extract<RunNode, { kind: K }>;
type Look = readonly [words: string, icon: string, color?: string];

/** The maximum length of a label that leaves room for the description beside it. */
const besides = 28;

/** Returns the tree item of a row: its look, its accessible label, and what a click on it does. */
export function runTreeItem(node: RunNode): vscode.TreeItem {
  switch (node.kind) {
    case "run":
      return runItem(node);
    case "proposal":
      return proposalItem(node);
    case "part":
      return partItem(node);
    case "outputs":
      return outputsItem(node);
    case "output":
      return outputItem(node);
    case "report":
      return reportItem(node);
    case "problem":
      return problemRow(node.id, node.problem, "rooroo.openRunTable");
  }
}

export function runStateLook(state: RunProgress): Look {
  const { t } = vscode.l10n;
  switch (state) {
    case "here":
      return [t("Running"), "loading~spin", "charts.blue"];
    case "elsewhere":
      return [t("Running Elsewhere"), "vm-running", "charts.blue"];
    case "needsYou":
      return [t("Waits for Your Word"), "bell-dot", "list.warningForeground"];
    case "left":
      return [t("Not Running"), "debug-pause", "charts.orange"];
    case "done":
      return [t("Complete"), "pass", "testing.iconPassed"];
    case "failed":
      return [t("Failed"), "error", "testing.iconFailed"];
    case "cancelled":
      return [t("Cancelled"), "circle-slash", "disabledForeground"];
    case "broken":
      return [t("Cannot Go On"), "warning", "list.warningForeground"];
  }
}

const overStates: readonly RunProgress[] = ["done", "failed", "cancelled"];

function runItem({ id, run, outputs, problems }: NodeOf<"run">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { state, request, tasks, next, holder, runId, report, proposalPath } = run;
  const [words, icon, color] = runStateLook(state);
  const isOver = overStates.includes(state);
  const title = shorten(request, 60) || runId;
  const item = treeRow(id, shorten(request, besides) || runId, isOver ? "folded" : "open");
  const done = t("{0} of {1} tasks done", tasks.done, tasks.total);
  const count = tasks.total === 0 ? [] : [`${tasks.done}/${tasks.total}`];
  const atWork = state === "here";
  item.description = [...(isOver ? [] : count), ...(atWork ? [] : [words.toLowerCase()])].join(
    " · ",
  );
  item.iconPath = themeIcon(icon, color);
  item.contextValue = [
    "run",
    state,
    isOver ? "over" : "open",
    ...(outputs > 0 ? ["hasOutputs"] : []),
    ...(report === null ? [] : ["hasReport"]),
    ...(proposalPath === null ? [] : ["hasProposal"]),
  ].join(" ");
  const facts = [
    words,
    ...(tasks.total === 0 ? [] : [done]),
    ...(holder === null ? [] : [holder]),
    ...(problems === 0 ? [] : [problems === 1 ? t("1 problem") : t("{0} problems", problems)]),
  ];
  const tooltip = plainMarkdown(request).appendMarkdown("\n\n").appendText(facts.join(" · "));
  if (!isOver) tooltip.appendMarkdown("\n\n").appendText(t("Next: {0}", next.slice(0, 500)));
  item.tooltip = tooltip.appendMarkdown("\n\n").appendCodeblock(runId, "text");
  item.accessibilityInformation = { label: [t("Run {0}", title), ...facts].join(", ") };
  return item;
}

function proposalItem({ id, summary, instructions }: NodeOf<"proposal">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = treeRow(id, t("Proposal"), "leaf");
  item.description = shorten(summary, 80);
  item.iconPath = themeIcon("tasklist", "list.warningForeground");
  item.contextValue = "runProposal";
  const count = instructions === 1 ? t("1 instruction") : t("{0} instructions", instructions);
  const asked = t("Confirm it, say what is to change, or cancel the run.");
  const tooltip = plainMarkdown(summary).appendMarkdown("\n\n").appendText(`${count} · ${asked}`);
  item.tooltip = tooltip;
  const label = t("Proposal, waits for your word, {0}: {1}", count, shorten(summary, 300));
  item.accessibilityInformation = { label };
  item.command = click("rooroo.openProposal", id);
  return item;
}

function partItem({ id, part, hasParts, isAtWork }: NodeOf<"part">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { kind, status, output } = part;
  const names: Readonly<Record<string, string>> = {
    ANALYZING: t("Analyzing"),
    STRATEGIZING: t("Strategizing"),
    REFINING_CONTENT: t("Refining Content"),
    GENERATING_OUTPUT: t("Generating Output"),
  };
  const title = kind === "preparation" ? t("Preparation") : (names[part.title] ?? part.title);
  const [words, icon, color] = partLook(part, isAtWork);
  const folding = !hasParts ? "leaf" : status === "COMPLETED" ? "folded" : "open";
  const item = treeRow(id, shorten(title, 80), folding);
  item.iconPath = themeIcon(icon, color);
  if (output !== null) item.description = output.slice(output.lastIndexOf("/") + 1);
  item.contextValue = `run${kind} ${output === null ? "" : "hasOutput"}`.trim();
  const tooltip = plainMarkdown(title).appendMarkdown("\n\n").appendText(words);
  if (part.purpose !== "") {
    tooltip.appendMarkdown("\n\n").appendText(part.purpose.slice(0, 1000));
  }
  if (output !== null) tooltip.appendMarkdown("\n\n").appendCodeblock(output, "text");
  item.tooltip = tooltip;
  const kinds = {
    preparation: "",
    phase: t("Phase"),
    stage: t("Stage"),
    task: t("Task"),
    tool: t("Helper"),
  };
  const spoken = [words, `${kinds[kind]} ${shorten(title, 200)}`.trim()];
  item.accessibilityInformation = { label: spoken.join(", ") };
  if (output !== null) item.command = click("rooroo.openRunOutputs", id);
  return item;
}

function partLook({ kind, status, isCurrent }: NodeOf<"part">["part"], isAtWork: boolean): Look {
  const { t } = vscode.l10n;
  switch (status) {
    case "COMPLETED":
      return [t("Completed"), "pass", "testing.iconPassed"];
    case "FAILED":
      return [t("Failed"), "error", "testing.iconFailed"];
    case null:
      return [t("No Known Status"), "warning", "list.warningForeground"];
    case "PENDING":
      if (!isCurrent) return [t("Pending"), kind === "tool" ? "tools" : "circle-outline"];
      return isAtWork
        ? [t("Running"), "loading~spin", "charts.blue"]
        : [t("Next"), "debug-stackframe", "charts.orange"];
  }
}

function outputsItem({ id, count, path }: NodeOf<"outputs">): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = treeRow(id, t("Outputs"), "open");
  item.description = String(count);
  item.iconPath = themeIcon("package");
  item.contextValue = "runOutputs";
  item.tooltip = new vscode.MarkdownString().appendCodeblock(path, "text");
  item.accessibilityInformation = { label: t("Outputs, {0}", count) };
  return item;
}

function outputItem({ id, path }: NodeOf<"output">): vscode.TreeItem {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const item = treeRow(id, name, "leaf");
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = "runOutput";
  item.tooltip = new vscode.MarkdownString().appendCodeblock(path, "text");
  item.accessibilityInformation = { label: vscode.l10n.t("Output {0}", name) };
  item.command = click("rooroo.openRunOutputs", id);
  return item;
}

function reportItem({ id, report, isFailure }: NodeOf<"report">): vscode.TreeItem {
  const item = treeRow(id, vscode.l10n.t("Report"), "leaf");
  item.description = shorten(report.text, 80);
  item.iconPath = isFailure ? themeIcon("error", "testing.iconFailed") : themeIcon("output");
  item.contextValue = "runReport";
  item.tooltip = plainMarkdown(report.text);
  const label = vscode.l10n.t("Report: {0}", shorten(report.text, 300));
  item.accessibilityInformation = { label };
  item.command = click("rooroo.openRunReport", id);
  return item;
}
