import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { parsePatch } from "diff";
import type { ToldAction } from "../../core/agent/tool.js";
import { fenced } from "../../core/text/fenced.js";
import { visibleText } from "../../core/text/visibleText.js";
import { toolEntry } from "../../core/tools/toolTable.js";

/** Returns the kind of a proposed action. */
export function actionKind({ access }: ToldAction): ToolKind {
  const byAccess = { read: "read", write: "edit", command: "execute", web: "fetch" } as const;
  return access === "tool" || access === "spend" ? "other" : byAccess[access];
}

/** Returns the file that a call is about, as far as its title says so. */
export function titleLocations(tool: string, title: string, root: string): ToolCallLocation[] {
  if (toolEntry(tool).isTitledByPath !== true) return [];
  const [, path = "", line] = /^(.+?)(?::(\d{1,9})(?:-\d{1,9})?)?$/.exec(title) ?? [];
  return path === "" ? [] : [location(path, line === undefined ? undefined : Number(line), root)];
}

/** Returns the file that an action is about. */
export function actionLocations(action: ToldAction, root: string): ToolCallLocation[] {
  if (action.access !== "read" && action.access !== "write") return [];
  const [first] = action.preview.kind === "diff" ? diffParts(action.preview.text, root) : [];
  return [location(action.path, first?.line, root)];
}

/** Returns what a person has to see who decides on an action: all of it, and why they are asked. */
export function actionContent(
  { access, preview }: ToldAction,
  why: string,
  root: string,
): ToolCallContent[] {
  const shown =
    preview.kind === "diff"
      ? diffContent(preview.text, root)
      : [textContent(fenced(visibleText(preview.text), access === "command" ? "sh" : ""))];
  return [...shown, textContent(visibleText(why))];
}

/**
 * Returns a unified diff as the protocol has it: the old and the new text of each place that changes. What cannot be
 * read as one, such as the change of a binary file, stays a text; so does one with invisible characters, which are
 * made visible.
 */
export function diffContent(diff: string, root: string): ToolCallContent[] {
  const parts = visibleText(diff) === diff ? diffParts(diff, root) : [];
  if (parts.length === 0) return [textContent(fenced(visibleText(diff), "diff"))];
  return parts.map(({ path, oldText, newText }) => ({ type: "diff", path, oldText, newText }));
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

interface DiffPart {
  readonly path: string;
  /** 1-based, in the new text. */
  readonly line: number;
  /** `null` if the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

function diffParts(diff: string, root: string): DiffPart[] {
  // The protocol has no place for lines before the names of the files.
  if (!diff.startsWith("--- ")) return [];
  try {
    return parsePatch(diff).flatMap(({ oldFileName = "", newFileName = "", hunks }) => {
      const isNew = oldFileName === "/dev/null";
      const name = newFileName === "/dev/null" ? oldFileName : newFileName;
      const path = absolute(name.replace(/^[ab]\//, ""), root);
      return hunks.map(({ lines, newStart }): DiffPart => {
        const oldText = textOf(lines, "-");
        return {
          path,
          line: Math.max(1, newStart),
          oldText: isNew ? null : oldText,
          newText: textOf(lines, "+"),
        };
      });
    });
  } catch {
    return [];
  }
}

/** Returns the text on one side of a hunk: the lines with this mark, and those that stay. */
function textOf(lines: readonly string[], mark: "-" | "+"): string {
  let text = "";
  let isOfSide = false;
  for (const line of lines) {
    if (line.startsWith("\\")) {
      // "No newline at end of file" speaks of the line before it.
      if (isOfSide) text = text.replace(/\n$/, "");
      continue;
    }
    isOfSide = line.startsWith(mark) || line.startsWith(" ");
    if (isOfSide) text += `${line.slice(1)}\n`;
  }
  return text;
}

function location(path: string, line: number | undefined, root: string): ToolCallLocation {
  return { path: absolute(path, root), ...(line === undefined ? {} : { line }) };
}

function absolute(path: string, root: string): string {
  return isAbsolute(path) ? path : resolve(root, path);
}
