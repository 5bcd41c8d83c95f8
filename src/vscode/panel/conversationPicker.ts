import * as vscode from "vscode";
import type {
  ConversationEntry,
  ConversationStore,
  FoundConversation,
} from "../../core/conversation/store/conversationStore.js";
import type { ConversationId } from "../../core/ids.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { t } from "../text/words.js";

/** What goes on in a conversation. */
export type ConversationActivity = "needsYou" | "running" | undefined;

type Action = "open" | "openInEditor" | "rename" | "export" | "delete";

export interface PickedConversation {
  readonly action: Action;
  readonly entry: ConversationEntry;
}

interface Row extends vscode.QuickPickItem {
  readonly entry?: ConversationEntry;
}

/** Milliseconds from the last key to the search in the texts. */
const searchMs = 200;
const hourMs = 3_600_000;

const buttons: readonly {
  readonly action: Action;
  readonly icon: string;
  readonly title: () => string;
}[] = [
  { action: "openInEditor", icon: "link-external", title: () => t("Open in Editor") },
  { action: "rename", icon: "edit", title: () => t("Rename…") },
  { action: "export", icon: "export", title: () => t("Export as Markdown…") },
  { action: "delete", icon: "trash", title: () => t("Delete…") },
];

/**
 * Lets the user choose among the conversations, which are grouped by day and searched by title and text. Resolves with
 * `undefined` if none is chosen.
 */
export async function pickConversation(
  store: ConversationStore,
  shown: ConversationId,
  activityOf: (id: ConversationId) => ConversationActivity,
  now: Date,
): Promise<PickedConversation | undefined> {
  const entries = (await store.list()).filter(({ foreign }) => !foreign);
  const pick = vscode.window.createQuickPick<Row>();
  pick.placeholder = t("Search conversations by title and text");
  pick.matchOnDetail = true;
  const rowsOf = (found: readonly (ConversationEntry | FoundConversation)[]): Row[] => {
    const rows: Row[] = [];
    let group = "";
    for (const entry of found) {
      const day = dayGroup(entry.changedAt, now);
      if (day !== group) rows.push({ label: day, kind: vscode.QuickPickItemKind.Separator });
      group = day;
      rows.push(rowOf(entry, entry.id === shown, activityOf(entry.id), now));
    }
    return rows;
  };
  pick.items = rowsOf(entries);
  const current = pick.items.find((row) => row.entry?.id === shown);
  if (current) pick.activeItems = [current];
  let searching = new AbortController();
  let timer: unknown;
  const search = async (words: string): Promise<void> => {
    searching.abort();
    const { signal } = (searching = new AbortController());
    if (words.trim() === "") {
      pick.items = rowsOf(entries);
      return;
    }
    pick.busy = true;
    const found = await store.search(words, signal);
    if (signal.aborted) return;
    pick.busy = false;
    pick.items = rowsOf(found.filter(({ foreign }) => !foreign));
  };
  try {
    return await new Promise<PickedConversation | undefined>((resolve) => {
      pick.onDidChangeValue((words) => {
        clearTimeout(timer);
        timer = setTimeout(() => void search(words).catch(() => undefined), searchMs);
      });
      pick.onDidAccept(() => {
        const entry = pick.activeItems[0]?.entry;
        if (entry !== undefined) resolve({ action: "open", entry });
      });
      pick.onDidTriggerItemButton(({ item, button }) => {
        const action = buttons.find((one) => one.title() === button.tooltip)?.action;
        if (item.entry !== undefined && action !== undefined)
          resolve({ action, entry: item.entry });
      });
      pick.onDidHide(() => {
        resolve(undefined);
      });
      pick.show();
    });
  } finally {
    clearTimeout(timer);
    searching.abort();
    pick.dispose();
  }
}

function rowOf(
  entry: ConversationEntry | FoundConversation,
  isShown: boolean,
  activity: ConversationActivity,
  now: Date,
): Row {
  const icon =
    activity === "needsYou" ? "$(bell-dot) " : activity === "running" ? "$(loading~spin) " : "";
  const states = {
    needsYou: t("needs you"),
    running: t("running"),
  };
  const state = activity === undefined ? [] : [states[activity]];
  const here = isShown ? [t("shown")] : [];
  const excerpt = "excerpt" in entry ? visibleLine(entry.excerpt, 200) : "";
  // Words in a title must not become an icon.
  const title = visibleLine(entry.title, 100).replaceAll("$(", "$\u200b(");
  return {
    entry,
    label: `${icon}${title === "" ? t("Untitled") : title}`,
    description: [timeText(entry.changedAt, now), ...state, ...here].join(" · "),
    ...(excerpt === "" ? {} : { detail: excerpt }),
    // The search has decided, also by texts that the row does not show.
    alwaysShow: "excerpt" in entry,
    buttons: buttons.map(({ icon: id, title: tooltip }) => ({
      iconPath: new vscode.ThemeIcon(id),
      tooltip: tooltip(),
    })),
  };
}

/** Returns the heading under which a list has what happened at this time. */
function dayGroup(at: number, now: Date): string {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (at >= today.getTime()) return t("Today");
  // Half a day less than a whole one before, because a day may have 23 or 25 hours.
  const yesterday = new Date(today.getTime() - 12 * hourMs);
  yesterday.setHours(0, 0, 0, 0);
  return at >= yesterday.getTime() ? t("Yesterday") : t("Older");
}

function timeText(at: number, now: Date): string {
  const date = new Date(at);
  const isRecent = now.getTime() - at < 48 * hourMs;
  return isRecent
    ? date.toLocaleTimeString(vscode.env.language, { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString(vscode.env.language);
}
