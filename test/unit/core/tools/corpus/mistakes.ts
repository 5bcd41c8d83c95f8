import type { Edit, Source } from "./sources.js";

/** What a model sends for an edit, in its way, and what is to come of it. */
export interface Attempt {
  /** The file's bytes before. */
  readonly before: Uint8Array;
  readonly tool: "apply_diff" | "edit_file";
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly startLine?: number;
  /** Characters of the whole diff that are another way in the wire. */
  readonly diffEnds?: "\r\n";
  /** The file's bytes afterwards; `undefined`: it stays, and the words say why. */
  readonly after: Uint8Array | undefined;
  readonly words?: RegExp;
}

/** A way in which models get edits wrong, where it applies. */
export type Mistake = (source: Source, edit: Edit) => Attempt | undefined;

const utf8 = (lines: readonly string[], end = "\n", last = end): Uint8Array =>
  new TextEncoder().encode(lines.join(end) + last);
const utf16 = (lines: readonly string[]): Uint8Array =>
  Buffer.from(`\uFEFF${lines.join("\n")}\n`, "utf16le");

const there = ({ lines }: Source, { line, count }: Edit) => lines.slice(line - 1, line - 1 + count);
const edited = ({ lines }: Source, { line, count, now }: Edit) =>
  lines.toSpliced(line - 1, count, ...now);

/** Returns the right edit of the file, sent otherwise. */
function sent(
  source: Source,
  edit: Edit,
  spoil: (line: string, index: number, all: readonly string[]) => string,
): Attempt | undefined {
  const all = [...there(source, edit), ...edit.now];
  const spoilt = all.map((line, index) => spoil(line, index, all));
  if (spoilt.join("\n") === all.join("\n")) return undefined;
  return {
    before: utf8(source.lines),
    tool: "apply_diff",
    search: spoilt.slice(0, edit.count),
    replace: spoilt.slice(edit.count),
    after: utf8(edited(source, edit)),
  };
}

function asItIs(source: Source, edit: Edit): Attempt {
  const [search, replace] = [there(source, edit), edit.now];
  const [before, after] = [utf8(source.lines), utf8(edited(source, edit))];
  return { before, tool: "apply_diff", search, replace, after };
}

const indent = (line: string) => line.slice(0, line.length - line.trimStart().length);
const shared = (lines: readonly string[]) =>
  Math.min(...lines.filter((line) => line.trim() !== "").map((line) => indent(line).length));
const isProse = ({ path }: Source) => path.endsWith(".md");

export const mistakes: Readonly<Record<string, Mistake>> = {
  none: asItIs,
  "a right :start_line:": (source, edit) => ({ ...asItIs(source, edit), startLine: edit.line }),
  "a wrong :start_line:": (source, edit) => ({ ...asItIs(source, edit), startLine: edit.line + 9 }),
  "no indentation": (source, edit) => sent(source, edit, (line, _, all) => line.slice(shared(all))),
  "too much indentation": (source, edit) =>
    isProse(source)
      ? undefined
      : sent(source, edit, (line) =>
          line.trim() === "" ? line : (/^\t/m.test(source.lines.join("\n")) ? "\t" : "    ") + line,
        ),
  "spaces for tabs": (source, edit) =>
    sent(source, edit, (line) => line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length))),
  "another unit of indentation": (source, edit) => {
    const levels = new Set(there(source, edit).map((line) => indent(line).length));
    // One level alone may as well have moved: see "one level of another unit".
    if (isProse(source) || levels.size < 2 || source.path.endsWith(".py")) return undefined;
    return sent(source, edit, (line) => line.replace(/^ +/, (blanks) => blanks.repeat(2)));
  },
  "blanks at line ends": (source, edit) => {
    const attempt = asItIs(source, edit);
    return { ...attempt, search: attempt.search.map((line) => `${line}  `) };
  },
  "no blanks where the file has them": (source, edit) => {
    const lines = source.lines.map((line) => (line.trim() === "" ? line : `${line} `));
    const changed = lines.toSpliced(
      edit.line - 1,
      edit.count,
      ...edit.now.map((line) => {
        const kept = there(source, edit).includes(line);
        return kept ? `${line} ` : line;
      }),
    );
    // A line that only moves is new to the tool, and then it is written as the model has it.
    const moved = there(source, edit).some((line) => !edit.now.includes(line));
    if (moved && there(source, edit).some((line) => edit.now.includes(line))) return undefined;
    return { ...asItIs(source, edit), before: utf8(lines), after: utf8(changed) };
  },
  "typographic quotes and dashes": (source, edit) =>
    // What is only written, and not searched for, is what the model wants.
    isProse(source) || !/"[^"]*"/.test(there(source, edit).join("\n"))
      ? undefined
      : sent(source, edit, (line) =>
          line
            .replace(/"([^"]*)"/g, "“$1”")
            .replaceAll("'", "’")
            .replaceAll(" - ", " – "),
        ),
  "plain quotes and dashes": (source, edit) => {
    const plain = (line: string) =>
      line.replace(/[“”]/g, '"').replaceAll("’", "'").replaceAll("–", "-");
    const found = there(source, edit).map(plain);
    if (found.join() === there(source, edit).join() || edit.count !== edit.now.length) return;
    return { ...asItIs(source, edit), search: found, replace: edit.now.map(plain) };
  },
  "CRLF in the file": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf8(source.lines, "\r\n"),
    after: utf8(edited(source, edit), "\r\n"),
  }),
  "CRLF in the diff": (source, edit) => ({ ...asItIs(source, edit), diffEnds: "\r\n" }),
  "no last line break": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf8(source.lines, "\n", ""),
    after: utf8(edited(source, edit), "\n", ""),
  }),
  "a byte order mark": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf8(source.lines.with(0, `\uFEFF${source.lines[0] ?? ""}`)),
    after: utf8(edited(source, edit).map((line, i) => (i === 0 ? `\uFEFF${line}` : line))),
  }),
  "UTF-16": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf16(source.lines),
    after: utf16(edited(source, edit)),
  }),
  "line numbers copied in": (source, edit) => ({
    ...asItIs(source, edit),
    search: there(source, edit).map((line, i) => `${edit.line + i} | ${line}`),
    replace: edit.now.map((line, i) => `${edit.line + i} | ${line}`),
  }),
  "line numbers in what is searched only": (source, edit) => ({
    ...asItIs(source, edit),
    search: there(source, edit).map((line, i) => ` ${edit.line + i} | ${line}`),
  }),
  "empty lines around": (source, edit) => ({
    ...asItIs(source, edit),
    search: ["", "", ...there(source, edit), ""],
    replace: ["", "", ...edit.now, ""],
  }),
  edit_file: (source, edit) => ({ ...asItIs(source, edit), tool: "edit_file" }),
  "edit_file without indentation": (source, edit) => {
    const attempt = sent(source, edit, (line, _, all) => line.slice(shared(all)));
    // A piece of a line is what edit_file finds first, and then that is what is replaced.
    return attempt && edit.count > 1 ? { ...attempt, tool: "edit_file" } : undefined;
  },
  "two places": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf8([...source.lines, ...source.lines]),
    after: undefined,
    words: RegExp(
      `more than once, at lines ${edit.line}, ${edit.line + source.lines.length}\\. Include more`,
    ),
  }),
  "two places, and which": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf8([...source.lines, ...source.lines]),
    startLine: edit.line + source.lines.length,
    after: utf8([...source.lines, ...edited(source, edit)]),
  }),
  "two places, and a line number that is neither": (source, edit) => ({
    ...asItIs(source, edit),
    before: utf8([...source.lines, ...source.lines]),
    startLine: edit.line + 1,
    after: undefined,
    words: /more than once/,
  }),
  "a word that is not there": (source, edit) => {
    const search = there(source, edit);
    const at = search.findIndex((line) => /[A-Za-z]{4}/.test(line));
    const last = edit.line + edit.count - 1;
    return {
      ...asItIs(source, edit),
      search: search.map((line, i) =>
        i === at ? line.replace(/([A-Za-z]{3})[A-Za-z]/, "$1ZZ") : line,
      ),
      after: undefined,
      words: RegExp(`not found.*(line ${edit.line}\\b|lines ${edit.line}-${last}\\b)`, "s"),
    };
  },
};
