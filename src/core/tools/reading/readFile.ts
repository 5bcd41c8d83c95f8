import * as z from "zod";
import type { AgentFiles } from "../../access/agentFiles.js";
import type { LocatedPath } from "../../access/locatedPath.js";
import type { SeenFile } from "../../agent/seenFiles.js";
import type { Tool, ToolContext, ToolResult } from "../../agent/tool.js";
import { withImages } from "../../agent/transcript.js";
import { imageType } from "../../images/imageType.js";
import { KeptImages, maxImageBytes } from "../../images/keptImages.js";
import { isPdf, pdfAsText } from "../../pdf/pdfAsText.js";
import { type Line, splitLines } from "../../text/lines.js";
import { lastPart } from "../../text/pathParts.js";
import { decodeText, formatSize } from "../../text/textFile.js";
import { beginningOf } from "../../text/wellFormed.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { readAction, resolveToRead } from "../calls/resolvePath.js";
import { currentBytes } from "../editing/textToEdit.js";

const maxBytes = 64_000_000;
const maxLines = 2000;
const maxCharacters = 60_000;
const maxLineLength = 2000;

const parameters = z.object({
  path: z.string(),
  start_line: z.int().nullish().describe("1-based"),
  end_line: z.int().nullish().describe("Inclusive"),
  from_character: z.int().nullish().describe("1-based, in a line too long to show"),
});
type Arguments = z.infer<typeof parameters>;

export const readFile: Tool<Arguments> = {
  kind: "action",
  name: "read_file",
  description:
    "Read a text, PDF or image, or a range of lines, as `12 | text`, at most 2,000 a call.",
  parameters,
  access: "read",
  title: ({ path, start_line, end_line }) =>
    (start_line ?? end_line ?? undefined) === undefined
      ? path
      : `${path}:${start_line ?? 1}-${end_line ?? ""}`,

  async prepare(args, context) {
    const { files } = context;
    const problem = (at: LocatedPath) => problemOf(args.path, at, files);
    const resolved = await resolveToRead(args.path, context.guard, problem);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    return {
      action: readAction(
        words("Read {file}", { file: readFile.title({ ...args, path: location.path }) }),
        location,
      ),
      run: async () => {
        const late = await problem(location);
        if (late) return late;
        const { bytes } = await currentBytes(location, context);
        if (!bytes) return failed(`${args.path} was removed just now. Look with list_files.`);
        if (imageType(bytes) !== undefined) return shownImage(location.path, bytes, context);
        if (isPdf(bytes)) {
          const text = await pdfAsText(bytes, context.pdf, context.signal);
          return shown(args, splitLines(text), true).result;
        }
        const decoded = decodeText(bytes);
        if (!decoded) {
          return failed(
            `${args.path} is a binary file (${formatSize(bytes.length)}) and cannot be shown as text. Look into it with a command.`,
          );
        }
        // A byte of an unknown encoding is a lone surrogate in the text.
        const lines = splitLines(decoded.text.replace(/\p{Cs}/gu, "\uFFFD"));
        const { result, part } = shown(args, lines, decoded.encoding !== "unknown");
        if (!result.ok) return result;
        const digest = await context.seen.digest(bytes);
        return { ...result, seen: [{ path: location.path, digest, ...(part && { part }) }] };
      },
    };
  },
};

async function problemOf(
  given: string,
  location: LocatedPath,
  files: AgentFiles,
): Promise<ToolResult | undefined> {
  const stat = await files.stat(location);
  if (!stat) return failed(`There is no file ${given}. Look with list_files.`);
  if (stat.kind === "folder") return failed(`${given} is a folder. Use list_files.`);
  if (stat.kind === "other")
    return failed(`${given} is a device or a pipe, not a file. Name a file.`);
  if (stat.size <= maxBytes) return undefined;
  return failed(
    `${given} is too big to read (${formatSize(stat.size)}). Find what you need with search_files, or print a part with a command.`,
  );
}

/** Shows an image as it is now: a copy of it is kept, because what a result has shown does not change. */
async function shownImage(
  path: string,
  bytes: Uint8Array,
  { files }: ToolContext,
): Promise<ToolResult> {
  const size = formatSize(bytes.length);
  if (bytes.length > maxImageBytes) {
    return failed(
      `${path} is an image of ${size}, and at most ${formatSize(maxImageBytes)} can be shown. Make a smaller copy with a command.`,
    );
  }
  const image = await new KeptImages(files).keep(bytes, lastPart(path));
  return { ok: true, content: `${path} is an image (${size}).`, ...withImages([image]) };
}

/** Returns the lines that are asked for, and which lines these are; without `part`, all of the file's. */
function shown(
  args: Arguments,
  lines: readonly Line[],
  faithful: boolean,
): { readonly result: ToolResult; readonly part?: SeenFile["part"] } {
  if (lines.length === 0) return { result: { ok: true, content: "(The file is empty.)" } };
  const start = Math.max(1, args.start_line ?? 1);
  const end = Math.min(lines.length, args.end_line ?? lines.length);
  if (start > lines.length || start > end) {
    const result = failed(
      `${args.path} has ${lines.length} lines; there is nothing from ${start} to ${args.end_line ?? "its end"}. Name lines that it has.`,
    );
    return { result };
  }
  const only = start === end ? lines[start - 1]?.text : undefined;
  if (only !== undefined && (only.length > maxLineLength || (args.from_character ?? 1) > 1)) {
    return { result: partOfLine(only, start, args), part: { from: start, to: start, of: 0 } };
  }
  const numbered: string[] = [];
  let characters = 0;
  let last = start - 1;
  while (last < end && last - start + 1 < maxLines) {
    const line = `${last + 1} | ${cut(lines[last]?.text ?? "")}`;
    if (characters + line.length > maxCharacters) break;
    characters += line.length + 1;
    numbered.push(line);
    last++;
  }
  const notes: string[] = [];
  if (last < end) {
    notes.push(`lines ${start}-${last} of ${lines.length}; continue with start_line ${last + 1}`);
  } else if (start > 1 || end < lines.length) {
    notes.push(`lines ${start}-${last} of ${lines.length}`);
  }
  if (!faithful) notes.push("not UTF-8, so some characters are shown as �");
  if (notes.length > 0) numbered.push(`(${notes.join("; ")})`);
  const result = { ok: true, content: numbered.join("\n") };
  const hasCutLine = lines.slice(start - 1, last).some(({ text }) => text.length > maxLineLength);
  if (start === 1 && last === lines.length && !hasCutLine) return { result };
  return { result, part: { from: start, to: last, of: hasCutLine ? 0 : lines.length } };
}

/** Shows one line from a character on, as far as a result may reach. */
function partOfLine(text: string, line: number, args: Arguments): ToolResult {
  const from = Math.max(1, args.from_character ?? 1);
  if (from > text.length) {
    return failed(
      `Line ${line} of ${args.path} has ${text.length} characters; there is nothing from ${from}. Name a smaller one.`,
    );
  }
  const shown = beginningOf(text.slice(from - 1), maxCharacters);
  const to = from - 1 + shown.length;
  const next = to < text.length ? `; continue with from_character ${to + 1}` : "";
  const note = `(characters ${from}-${to} of ${text.length} of line ${line}${next})`;
  return { ok: true, content: `${line} | ${shown}\n${note}` };
}

function cut(line: string): string {
  if (line.length <= maxLineLength) return line;
  const shown = beginningOf(line, maxLineLength);
  return `${shown}… (${line.length - shown.length} more characters; read this line alone for them)`;
}
