import type * as vscode from "vscode";
import { readableWriting } from "../../core/text/readableWriting.js";

type Show = (...given: readonly unknown[]) => Thenable<unknown>;
type Window = typeof vscode.window;
type List = vscode.QuickPick<vscode.QuickPickItem>;

/**
 * Has the window's messages, lists, inputs and progress make visible what hides in their words, as rows of the lists do: the
 * words are often those of models and files. It puts its own functions in the place of VS Code's, which each extension has
 * for itself, so that no caller can forget it. What a person chooses is told as it was given.
 */
export function readableWindow(window: Window): void {
  const { showQuickPick, createQuickPick, showInputBox, withProgress } = window;
  const messages = (["showInformationMessage", "showWarningMessage", "showErrorMessage"] as const)
    .map((name) => [name, window[name] as Show] as const)
    .map(([name, show]) => [name, message(show)]);
  Object.assign(window, Object.fromEntries(messages), {
    showQuickPick: quickPick(showQuickPick as Show),
    createQuickPick: () => list(createQuickPick()),
    showInputBox: (options?: object, ...more: []) => showInputBox(readable(options), ...more),
    withProgress: ((options, task) =>
      withProgress(readable(options), (progress, token) =>
        task(
          {
            report: (value) => {
              progress.report(readable(value));
            },
          },
          token,
        ),
      )) satisfies Window["withProgress"],
  });
}

function message(show: Show): Show {
  return async (...given) => {
    const shown = given.map(readable);
    const chosen = await show(...shown);
    return chosen === undefined ? undefined : given[shown.indexOf(chosen)];
  };
}

function quickPick(show: Show): Show {
  return async (given, options, ...more) => {
    const originals = new Map<unknown, unknown>();
    const rows = (items: readonly unknown[]) =>
      items.map((item) => {
        const row = readable(item);
        originals.set(row, item);
        return row;
      });
    const shown = Array.isArray(given) ? rows(given) : Promise.resolve(given as []).then(rows);
    const chosen = await show(shown, readable(options), ...more);
    return Array.isArray(chosen) ? chosen.map((row) => originals.get(row)) : originals.get(chosen);
  };
}

/** Returns a list whose rows are those that it is given, and are shown as they can be read. */
function list(shown: List): List {
  const [rows, originals] = [new WeakMap<object, object>(), new WeakMap<object, object>()];
  const rowOf = (item: object) => rows.get(item) ?? item;
  const original = (row: object) => originals.get(row) ?? row;
  const isRows = (key: string | symbol) =>
    key === "items" || key === "activeItems" || key === "selectedItems";
  return new Proxy(shown, {
    // VS Code's own lists have fields that only they themselves may read.
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (isRows(key)) return (value as object[]).map(original);
      if (key === "onDidTriggerItemButton") {
        const event = value as vscode.Event<{ readonly item: object; readonly button: object }>;
        return (listen: (told: object) => unknown) =>
          event((told) => listen({ button: told.button, item: original(told.item) }));
      }
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
    set: (target, key, value: unknown) => {
      if (key === "items") {
        for (const item of value as object[]) {
          const row = readable(item);
          rows.set(item, row);
          originals.set(row, item);
        }
      }
      const isWords = key === "title" || key === "placeholder";
      const now = isRows(key) ? (value as object[]).map(rowOf) : isWords ? readable(value) : value;
      return Reflect.set(target, key, now);
    },
  });
}

const ofWords = ["title", "label", "description", "detail", "message", "prompt", "placeHolder"];

/** Returns a text, or what has texts, as it can be read; the same where nothing hides. */
function readable<T>(given: T): T {
  if (typeof given === "string") return readableText(given) as T;
  if (typeof given !== "object" || given === null) return given;
  const changed = Object.entries(given).flatMap(([key, text]: [string, unknown]) => {
    const now = typeof text === "string" && ofWords.includes(key) ? readableText(text) : text;
    return now === text ? [] : [[key, now] as const];
  });
  return changed.length === 0 ? given : { ...given, ...Object.fromEntries(changed) };
}

/** Put into the words of a row so that they do not become an icon. */
const noIcon = "$\u200b(";

function readableText(text: string): string {
  return text.split(noIcon).map(readableWriting).join(noIcon);
}
