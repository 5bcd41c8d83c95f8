import type { ModelMessage } from "../agent/messages.js";
import { parseJson } from "../documents/parseJson.js";
import { FileError } from "../errors.js";
import type { FileSystem } from "../ports.js";
import { readNamedFile } from "../tools/namedFile.js";

/** Characters of one file. */
const maxLength = 8_000;

/** Bytes that are read of one file: enough for {@link maxLength} characters of any script. */
const maxSize = 4 * maxLength;

/**
 * R-ENV-7: the `context.md` that stands closest to where the agent works, up from the folders of its
 * last command, where it has not been told yet; before its first, the workspace's own.
 *
 * @returns for the model; `undefined` when there is nothing to tell
 */
export async function closestContexts(
  messages: readonly ModelMessage[],
  files: FileSystem,
): Promise<string | undefined> {
  const parts: string[] = [];
  for (const path of new Set(placesIn(messages))) {
    const found = await closest(path, files).catch(unseen);
    if (found === undefined || parts.some((part) => part.startsWith(heading(found)))) continue;
    if (messages.some(({ role, content }) => role === "user" && content.includes(heading(found)))) {
      continue;
    }
    const file = await readNamedFile(found, files, maxSize);
    const text = file.type === "text" ? file.text.trim() : "";
    const shown = text.length > maxLength ? `${text.slice(0, maxLength)}\n(cut here)` : text;
    // What it says cannot end the mark that says where it is from.
    const quoted = shown.replaceAll("</context_file", "<\u200B/context_file");
    if (text !== "") parts.push(`${heading(found)}\n${quoted}\n</context_file>`);
  }
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** Whether a message is what {@link closestContexts} tells. */
export function isContext(text: string): boolean {
  return text.startsWith(heading("").slice(0, -2));
}

/** A command that names what is hidden has been told so; there is nothing else to tell of such a place. */
function unseen(error: unknown): undefined {
  if (!(error instanceof FileError)) throw error;
}

function heading(path: string): string {
  return `<context_file path="${path}">`;
}

/** Workspace paths, as models write them, of the last reply's calls. */
function placesIn(messages: readonly ModelMessage[]): string[] {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last === undefined) return [""];
  return last.toolCalls.flatMap((call) => {
    const args = parsed(call.arguments);
    const { cwd, path, paths, files } = args as Record<string, unknown>;
    const folder = typeof cwd === "string" ? [`${cwd}/.`] : [];
    return [...folder, path, ...list(paths), ...list(files)].filter(
      (one) => typeof one === "string",
    );
  });
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function parsed(text: string): object {
  const json = parseJson(text);
  return json.ok && typeof json.value === "object" && json.value !== null ? json.value : {};
}

/** The workspace path of the first `context.md` on the way up. A task's own is told by its command. */
async function closest(given: string, files: FileSystem): Promise<string | undefined> {
  const { path, inside } = await files.locate(given.replaceAll("\\", "/"));
  if (!inside || path.startsWith(".rooroo/")) return undefined;
  const segments = path === "" ? [] : path.split("/");
  const isFolder = (await files.stat(path))?.kind === "folder";
  for (let depth = isFolder ? segments.length : segments.length - 1; depth >= 0; depth--) {
    const candidate = [...segments.slice(0, depth), "context.md"].join("/");
    if ((await files.stat(candidate))?.kind !== "file") continue;
    return (await files.locate(candidate)).inside ? candidate : undefined;
  }
  return undefined;
}
