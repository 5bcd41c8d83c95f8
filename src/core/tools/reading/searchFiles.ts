import * as z from "zod";
import type { AgentFiles } from "../../access/agentFiles.js";
import type { LocatedPath } from "../../access/locatedPath.js";
import { mayHoldSecrets } from "../../access/secretFiles.js";
import type { Tool, ToolResult } from "../../agent/tool.js";
import { UserError } from "../../errors.js";
import { mostSearchedBytes, type SearchMatch } from "../../ports/search.js";
import { splitLines } from "../../text/lines.js";
import { decodeText, formatSize } from "../../text/textFile.js";
import { beginningOf } from "../../text/wellFormed.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { listedPath, readAction, resolveToRead, shownPath } from "../calls/resolvePath.js";
import { passedOverNote } from "./passedOver.js";

const limit = 200;
const maxLineLength = 300;
/** The most matches that are shown with lines around them, and how many lines those are on each side. */
const mostWithContext = 20;
const contextLines = 2;
/** Bytes; the lines around a match in a larger file are not shown. */
const maxContextFile = 5_000_000;

const parameters = z.object({
  path: z.string(),
  regex: z.string().min(1),
  file_pattern: z.string().nullish().describe("Glob, as *.ts"),
});
type Arguments = z.infer<typeof parameters>;

export const searchFiles: Tool<Arguments> = {
  kind: "action",
  name: "search_files",
  description:
    "Find the lines that match a regular expression in a folder or file, at most 200; up to 20 come with the two lines around them. Each line is matched by itself, in the syntax that Rust and JavaScript share; (?i) at the start ignores case.",
  parameters,
  access: "read",
  title: ({ path, regex, file_pattern }) => {
    const files = (file_pattern ?? "") === "" ? "" : ` (${file_pattern ?? ""})`;
    return words("{pattern} in {folder}", {
      pattern: `/${regex}/`,
      folder: `${shownPath(path)}${files}`,
    });
  },

  async prepare(args, context) {
    const { files, search, signal } = context;
    const problem = (at: LocatedPath) => problemOf(args.path, at, files);
    const resolved = await resolveToRead(args.path, context.guard, problem);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const { path } = location;
    const pattern = args.file_pattern?.trim() ?? "";
    const query = {
      path,
      regex: args.regex,
      limit,
      // The content of a file with secrets is shown only if the path names it and that is allowed.
      ...(location.inside && !mayHoldSecrets(path) ? { hides: mayHoldSecrets } : {}),
      ...(pattern === "" ? {} : { filePattern: pattern }),
    };
    return {
      action: readAction(
        words("Search {what}", { what: searchFiles.title({ ...args, path: location.path }) }),
        location,
      ),
      run: async () => {
        const late = await problem(location);
        if (late) return late;
        const { matches, truncated } = await search.matches(query, signal);
        const size = (await files.stat(location))?.size ?? 0;
        if (matches.length === 0 && size > mostSearchedBytes) {
          return failed(
            `${shownPath(path)} was passed over: it has ${formatSize(size)}, and files of more than ${formatSize(mostSearchedBytes)} are not searched. Read a part of it with start_line, or search it by a command.`,
          );
        }
        const note = await passedOverNote(query, context);
        if (matches.length === 0) return { ok: true, content: `No line matches.${note}` };
        const more = truncated ? `\n(Only the first ${limit} matches; search more narrowly.)` : "";
        const around =
          matches.length <= mostWithContext ? await contextOf(matches, files) : new Map();
        return { ok: true, content: byFile(matches, around) + more + note };
      },
    };
  },
};

async function problemOf(
  given: string,
  location: LocatedPath,
  files: AgentFiles,
): Promise<ToolResult | undefined> {
  if (await files.stat(location)) return undefined;
  return failed(`There is no ${given}. Search "." or look with list_files.`);
}

/** The lines of files, by path. */
type FileLines = ReadonlyMap<string, readonly string[]>;

/** Reads the files of the matches. One that cannot be read as the search did is left out. */
async function contextOf(matches: readonly SearchMatch[], files: AgentFiles): Promise<FileLines> {
  const lines = new Map<string, readonly string[]>();
  for (const { path } of matches) {
    if (lines.has(path)) continue;
    const found = await files.readLocated(path, maxContextFile).catch((error: unknown) => {
      if (error instanceof UserError) return undefined;
      throw error;
    });
    // A link that has taken the file's place could lead to what the search leaves out.
    if (found?.bytes === undefined || found.location.path !== path) continue;
    const text = decodeText(found.bytes)?.text.replace(/\p{Cs}/gu, "\uFFFD");
    if (text !== undefined)
      lines.set(
        path,
        splitLines(text).map((line) => line.text),
      );
  }
  return lines;
}

/** Returns the matches as `12 | text`, with what is known of the lines around them as `13 - text`. */
function byFile(matches: readonly SearchMatch[], around: FileLines): string {
  const paths = [...new Set(matches.map(({ path }) => path))];
  const blocks = paths.map((path) => {
    const found = matches.filter((match) => match.path === path);
    return [listedPath(path), ...matchLines(found, around.get(path))].join("\n");
  });
  return blocks.join("\n\n");
}

function matchLines(matches: readonly SearchMatch[], lines: readonly string[] = []): string[] {
  const texts = new Map(matches.map(({ line, text }) => [line, text]));
  const shown: string[] = [];
  let last = 0;
  for (const { line } of matches) {
    for (let at = Math.max(line - contextLines, last + 1); at <= line + contextLines; at++) {
      const text = texts.get(at) ?? lines[at - 1];
      if (text === undefined || at < 1) continue;
      if (last > 0 && at > last + 1 && lines.length > 0) shown.push("…");
      shown.push(`${at} ${texts.has(at) ? "|" : "-"} ${cut(text)}`);
      last = at;
    }
  }
  return shown;
}

function cut(text: string): string {
  return text.length > maxLineLength ? `${beginningOf(text, maxLineLength)}…` : text;
}
