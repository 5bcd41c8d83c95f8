import { readNamedFile } from "../access/namedFile.js";
import { parseJson } from "../documents/parseJson.js";
import { FileError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { ModelMessage } from "../ports/messages.js";

/** The most characters that are shown of one file. */
const maxLength = 8_000;

/** The most bytes that are read of one file: enough for {@link maxLength} characters of any script. */
const maxSize = 4 * maxLength;

/**
 * R-ENV-7: Reads the `context.md` files closest to where the agent works: upwards from the paths of its
 * last reply's calls, or the workspace's own before its first reply. Leaves out those that the
 * conversation already has.
 *
 * @returns the text for the model; `undefined` when there is nothing new to tell
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
    // The file's text must not close the tag that says where it is from.
    const quoted = shown.replaceAll("</context_file", "<\u200B/context_file");
    if (text !== "") parts.push(`${heading(found)}\n${quoted}\n</context_file>`);
  }
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** Returns whether a message is a text of {@link closestContexts}. */
export function isContext(text: string): boolean {
  return text.startsWith(heading("").slice(0, -2));
}

/** Swallows file errors: a command that names an ignored file has already reported that. */
function unseen(error: unknown): undefined {
  if (!(error instanceof FileError)) throw error;
}

function heading(path: string): string {
  return `<context_file path="${path}">`;
}

/**
 * Returns the paths in the last reply's calls, as the model wrote them; `""`, the workspace, before the
 * first reply.
 */
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

/**
 * Returns the workspace path of the first `context.md` on the way up. Paths in `.rooroo/` have none: a
 * task's own context comes with its command.
 */
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
