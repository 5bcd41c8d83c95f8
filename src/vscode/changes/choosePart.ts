import * as vscode from "vscode";
import { type Hunk, hunksOf } from "../../core/changes/hunks.js";
import type { ReviewedFile } from "../../core/changes/taskChanges.js";
import { errorText } from "../errors/errorText.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";

export interface ChosenPart {
  readonly action: "keep" | "revert" | "show";
  readonly file: ReviewedFile;
  /** The chosen hunk; `undefined`: the whole file. */
  readonly hunk: Hunk | undefined;
}

/** Returns the hunk at a line, or the whole file if it has no hunks; `undefined` if the line has no change. */
export function partAt(file: ReviewedFile, line: number): Pick<ChosenPart, "hunk"> | undefined {
  const hunks = hunksOf(file.before, file.now);
  if (hunks === undefined) return { hunk: undefined };
  const hunk = hunks.find(
    ({ nowStart, now }) =>
      line >= nowStart - (now.length === 0 ? 1 : 0) && line < nowStart + Math.max(1, now.length),
  );
  return hunk && { hunk };
}

type Part = vscode.QuickPickItem & Omit<ChosenPart, "action">;

/**
 * Lets the user choose a file or one of its hunks, and an action. The buttons of a row act at once; by
 * keyboard the user chooses a row first, then the action.
 */
export async function choosePart(
  files: readonly ReviewedFile[],
  title: string,
): Promise<ChosenPart | undefined> {
  const keep = { iconPath: new vscode.ThemeIcon("check"), tooltip: t("Keep") };
  const revert = { iconPath: new vscode.ThemeIcon("discard"), tooltip: t("Revert") };
  const pick = vscode.window.createQuickPick<Part>();
  pick.title = title;
  pick.placeholder = t("Select a change to keep or revert");
  pick.matchOnDescription = true;
  pick.items = files.flatMap((file) =>
    parts(file).map((part) => ({ ...part, buttons: [keep, revert] })),
  );
  const chosen = await new Promise<ChosenPart | Part | undefined>((resolve) => {
    pick.onDidTriggerItemButton(({ button, item: { file, hunk } }) => {
      resolve({ action: button === keep ? "keep" : "revert", file, hunk });
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
    });
    pick.onDidHide(() => {
      resolve(undefined);
    });
    pick.show();
  });
  pick.dispose();
  return chosen === undefined || "action" in chosen ? chosen : chooseAction(chosen);
}

async function chooseAction({ label, file, hunk }: Part): Promise<ChosenPart | undefined> {
  const actions = [
    { label: `$(discard) ${t("Revert")}`, action: "revert" as const },
    { label: `$(check) ${t("Keep")}`, action: "keep" as const },
    { label: `$(diff) ${t("Show")}`, action: "show" as const },
  ];
  const placeHolder = `${file.path}${hunk ? `, ${label.trim()}` : ""}`;
  const picked = await vscode.window.showQuickPick(actions, { placeHolder });
  return picked && { action: picked.action, file, hunk };
}

function parts(file: ReviewedFile): Part[] {
  const hunks = hunksOf(file.before, file.now) ?? [];
  const whole: Part = {
    label: `$(file) ${file.path}`,
    description: file.problem ? errorText(file.problem) : aboutFile(file, hunks.length),
    file,
    hunk: undefined,
  };
  // A single hunk is the same as the file, so it gets no row of its own.
  return hunks.length < 2 ? [whole] : [whole, ...hunks.map((hunk) => partOf(file, hunk))];
}

function partOf(file: ReviewedFile, hunk: Hunk): Part {
  const text = [...hunk.now, ...hunk.before].find((line) => line.trim() !== "") ?? "";
  return {
    label: `      ${t("line {0}", hunk.nowStart + 1)}: ${shorten(text.trim(), 70)}`,
    description: `+${hunk.now.length} −${hunk.before.length}`,
    file,
    hunk,
  };
}

function aboutFile({ before, now, modes }: ReviewedFile, hunks: number): string {
  if (!before) return t("added");
  if (!now) return t("deleted");
  if (modes && hunks === 0) return t("permissions");
  return hunks === 0 ? t("changed") : t("{0, plural, one {# change} other {# changes}}", hunks);
}
