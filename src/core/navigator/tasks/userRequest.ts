import { IgnoredFiles } from "../../access/ignoredFiles.js";
import { UserError } from "../../errors.js";
import { editorFocus, focusPlace } from "../../experts/environment.js";
import type { WorkspaceHost } from "../../experts/workspaceHost.js";
import type { MessageImage } from "../../ports/messages.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { tagged } from "../../text/tagged.js";
import { workspaceLink } from "../../text/workspaceLink.js";
import { nothingAttached, type ReadAttachments } from "../attachments/readAttachments.js";

/** A user's request. */
export interface UserRequest {
  /** Their own words. */
  readonly words: string;
  /** The words as tasks are told of them, with what came with them; Markdown. */
  readonly text: string;
  /** What was attached to the words, a block each; a part of the text. */
  readonly attached: readonly string[];
  /** The images that came with the words. */
  readonly images: readonly MessageImage[];
}

/** The most files that are looked for in the words, and the most characters of a selection that are kept. */
const mostNamed = 40;
const maxSelection = 8_000;

/** Returns the request with what is attached, the files that it names and what the editor shows at this moment. */
export async function userRequest(
  words: string,
  host: Pick<WorkspaceHost, "files" | "editor">,
  attached: ReadAttachments = nothingAttached,
): Promise<UserRequest> {
  const named = await filesNamed(words, host);
  const links =
    named.length === 0 ? [] : [`Files that it names: ${named.map(workspaceLink).join(", ")}`];
  const { texts, images } = attached;
  const text = [tagged("request", words), ...texts, ...links, ...(await shown(host, attached))];
  return { words, text: text.join("\n\n"), attached: texts, images };
}

/** Returns what the editor showed when the request was made: what "this" means in it. */
async function shown(
  host: Pick<WorkspaceHost, "files" | "editor">,
  { selections }: Pick<ReadAttachments, "selections">,
): Promise<string[]> {
  const focus = await editorFocus(host);
  if (focus === undefined) return [];
  const place = `When the user sent it, the editor showed ${focusPlace(focus)}.`;
  const { selection, path } = focus;
  if (selection === undefined) return [place];
  const { from, to, text } = selection;
  const isAttached = selections.some(
    (one) => one.path === path && one.from === from && one.to === to && one.text === text,
  );
  if (isAttached) return [place];
  const cut = text.length > maxSelection ? `${text.slice(0, maxSelection)}\n(cut here)` : text;
  return [`${place} The selected text:`, quoteUntrusted(path, cut)];
}

/** Returns the paths in the words at which there is something that experts may see, each once. */
async function filesNamed(
  words: string,
  { files }: Pick<WorkspaceHost, "files">,
): Promise<string[]> {
  const quoted = [...words.matchAll(/[`"']([^`"'\n]{1,200})[`"']/g)].map(([, name = ""]) => name);
  const bare = words.split(/[\s,;()<>[\]{}`"'|]+/).filter((word) => /[./\\]/.test(word));
  const names = [...quoted, ...bare].map((word) =>
    word
      .replaceAll("\\", "/")
      .replace(/^@?(\.?\/)?/, "")
      .replace(/(?<![.:!?/])[.:!?/]+$/, "")
      .replace(/:\d+(:\d+)?$/, ""),
  );
  const found: string[] = [];
  try {
    const isHidden = await new IgnoredFiles(files).read();
    for (const name of [...new Set(names)].slice(0, mostNamed)) {
      if (name === "" || name.startsWith("..")) continue;
      const { path, inside } = await files.locate(name);
      if (!inside || path === "" || found.includes(path) || isHidden(path) !== undefined) continue;
      if ((await files.stat(path)) !== undefined) found.push(path);
    }
  } catch (error) {
    // What cannot be looked at is not linked; the words themselves still name it.
    if (!(error instanceof UserError)) throw error;
  }
  return found;
}

/** The parts of a task's `context.md`. */
interface ContextParts {
  readonly taskId: string;
  readonly goal: string;
  /** Facts for the expert, Markdown; may be empty. */
  readonly context: string;
  /** The user's request, as in {@link UserRequest.text}. Absent: only the goal is known. */
  readonly request?: string | undefined;
  /** Whether the task does only a part of the request. */
  readonly isPart?: boolean;
}

/**
 * Returns the content of a task's `context.md`. The request comes last, because it can be long, and the rest of
 * a long file is not sent.
 */
export function contextText({ taskId, goal, context, request, isPart }: ContextParts): string {
  const isWhole = request?.startsWith(tagged("request", goal)) === true;
  const parts = [
    `# ${taskId}`,
    ...(isWhole ? [] : [`## Goal\n\n${goal}`]),
    ...(context.trim() === "" ? [] : [`## Context\n\n${context.trim()}`]),
    ...(request === undefined ? [] : [requestSection(request, isPart)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Returns the section of a `context.md` that holds the request. */
export function requestSection(request: string, isPart = false): string {
  const part = isPart
    ? "In the user's own words. This task does the part of it that its goal names; whatever the request says about that part holds.\n\n"
    : "";
  return `## The request\n\n${part}${request}`;
}

/** Returns whether a `context.md` holds a request. */
export function holdsRequest(context: string): boolean {
  return context.includes("<request>");
}
