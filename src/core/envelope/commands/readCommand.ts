import type * as z from "zod";
import type { SeenFile } from "../../agent/seenFiles.js";
import type { Tool, ToolContext, ToolResult } from "../../agent/tool.js";
import { decodeText, formatSize } from "../../text/textFile.js";
import { wholeCharacters } from "../../text/wholeCharacters.js";
import { words } from "../../text/words.js";
import { failed } from "../../tools/calls/failed.js";
import { readAction, resolveInside, shownPath } from "../../tools/calls/resolvePath.js";
import { currentBytes } from "../../tools/editing/textToEdit.js";
import { payloads } from "../envelope.js";
import { hiddenFolder } from "./hiddenFolder.js";

const maxFileBytes = 10_000_000;
/** The most characters of all files together. */
const maxCharacters = 60_000;
const maxEntries = 500;

type Arguments = z.infer<typeof payloads.read>;
type Resolved = Awaited<ReturnType<typeof resolveInside>>;
type Part =
  | { readonly content: string; readonly cut: boolean; readonly seen?: SeenFile }
  | { readonly problem: string };

/**
 * R-ENV-11: Reads files, each under a line `path:::`; lists the entries of folders.
 *
 * @param asked returns what the user said, in which they may ask for hidden folders
 */
export function readCommand(asked: () => string): Tool<Arguments> {
  return {
    kind: "action",
    name: "read",
    description: "Read files, or list folders.",
    parameters: payloads.read,
    access: "read",
    title: (args) => pathsOf(args).map(shownPath).join(", "),

    async prepare(args, context) {
      if (!isUtf8(args.encoding)) return failed(onlyUtf8(args.encoding));
      const targets = new Map<string, Resolved>();
      // R-ENV-7: Paths outside the workspace are refused without asking the user.
      for (const path of pathsOf(args)) targets.set(path, await resolveInside(path, context.guard));
      const [action, ...more] = [...targets.values()].flatMap((target) =>
        "failure" in target
          ? []
          : [
              readAction(
                words("Read {file}", { file: shownPath(target.location.path) }),
                target.location,
              ),
            ],
      );
      return {
        action,
        more,
        run: async () => {
          const parts = new Map<string, Part>();
          for (const [path, target] of targets) {
            parts.set(path, await read(path, target, args, asked(), context));
          }
          return together(parts);
        },
      };
    },
  };
}

export function isUtf8(encoding: string | undefined): boolean {
  return encoding === undefined || /^utf-?8$/i.test(encoding);
}

export function onlyUtf8(encoding = ""): string {
  return `The encoding ${encoding} is not known here; files are text in UTF-8. Leave encoding out.`;
}

function pathsOf({ path, paths }: Arguments): string[] {
  const plain = (given: string): string => given.trim().replace(/^(\.\/+)+(?=.)/, "");
  return [...new Set([path, ...(paths ?? [])].map(plain))];
}

async function read(
  given: string,
  resolved: Resolved,
  { max_bytes, max_lines }: Arguments,
  asked: string,
  context: ToolContext,
): Promise<Part> {
  const { files, search, signal, seen } = context;
  if ("failure" in resolved) return { problem: resolved.failure.content };
  const { location } = resolved;
  const { path } = location;
  const stat = await files.stat(location);
  if (!stat) return { problem: `There is no file ${given}.` };
  const hidden = hiddenFolder(path, stat.kind === "folder", asked);
  if (hidden !== undefined) {
    return {
      problem: `${given} is in the hidden folder ${hidden}, which only the user can ask for.`,
    };
  }
  if (stat.kind === "folder") {
    const query = { path, recursive: false, limit: maxEntries };
    const { paths, truncated } = await search.files(query, signal);
    const shown = paths.filter((entry) => {
      const isFolder = entry.endsWith("/");
      return hiddenFolder(isFolder ? entry.slice(0, -1) : entry, isFolder, asked) === undefined;
    });
    return { content: shown.join("\n"), cut: truncated };
  }
  if (stat.kind === "other") return { problem: `${given} is a device or a pipe, not a file.` };
  if (stat.size > maxFileBytes) {
    return { problem: `${given} is too big to read (${formatSize(stat.size)}).` };
  }
  const { bytes: whole = new Uint8Array() } = await currentBytes(location, context);
  const end = wholeCharacters(whole, max_bytes ?? whole.length);
  const decoded = decodeText(whole.subarray(0, end));
  if (!decoded) return { problem: `${given} is a binary file (${formatSize(stat.size)}).` };
  const lines = decoded.text.split("\n");
  const kept = max_lines === undefined ? lines : lines.slice(0, max_lines);
  const cut = end < whole.length || kept.length < lines.length;
  return { content: kept.join("\n"), cut, seen: { path, digest: await seen.digest(whole) } };
}

function together(parts: ReadonlyMap<string, Part>): ToolResult {
  const found: string[] = [];
  const problems: string[] = [];
  const seen: SeenFile[] = [];
  let left = maxCharacters;
  let truncated = false;
  for (const [path, part] of parts) {
    if ("problem" in part) {
      problems.push(part.problem);
      continue;
    }
    const content = part.content.slice(0, left);
    const isCut = part.cut || content.length < part.content.length;
    truncated ||= isCut;
    if (part.seen) seen.push(isCut ? { ...part.seen, part: { from: 0, to: 0, of: 0 } } : part.seen);
    left -= content.length;
    found.push(`${path}:::\n${content}`);
  }
  const stdout = found.join("\n");
  const stderr = problems.join("\n");
  const ok = problems.length === 0;
  return {
    ok,
    content: [stdout, stderr].filter((text) => text !== "").join("\n"),
    seen,
    printed: { stdout, stderr, exitCode: ok ? 0 : 1, truncated, killed: false },
  };
}
