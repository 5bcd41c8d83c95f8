import { UserError } from "../errors.js";
import {
  type Clarification,
  clarificationLines,
  type NewClarification,
  readClarifications,
} from "./clarification.js";
import { type FrontMatter, readFrontMatter } from "./frontMatter.js";
import { readOutline } from "./outline.js";
import { TextLines } from "./textLines.js";

/** A `*.job.md` or `*.task.md`: what a person wants, and what they were asked. */
export interface JobFile {
  readonly lines: TextLines;
  readonly matter: FrontMatter;
  /** `undefined` where the front matter names none: then it is the file's. */
  readonly name: string | undefined;
  /** Folders that the work is about, from `dir` or `dirs`. */
  readonly dirs: readonly string[];
  readonly agents: readonly string[];
  readonly model: string | undefined;
  /** The file's words, without front matter and clarifications. */
  readonly goal: string;
  readonly clarifications: readonly Clarification[];
}

/** Never throws; `text` may be anything. */
export function readJobFile(text: string): JobFile {
  const lines = new TextLines(text);
  const matter = readFrontMatter(lines);
  const clarifications = readClarifications(readOutline(lines, matter.rows), lines);
  const own = clarifications.map(({ row, end }) => lines.replace(row, end, []));
  const front = matter.rows === 0 ? [] : [lines.replace(0, matter.rows, [])];
  const [name, model] = [matter.get("name"), matter.get("model")];
  return {
    ...{ lines, matter, clarifications },
    name: typeof name === "string" && name.trim() !== "" ? name.trim() : undefined,
    model: typeof model === "string" ? model : undefined,
    dirs: textsOf(matter.get("dirs") ?? matter.get("dir")),
    agents: textsOf(matter.get("agents")),
    goal: lines
      .with([...front, ...own])
      .replace(/^\uFEFF/, "")
      .trim(),
  };
}

/** Asks at the absolute end of the file. Throws a {@link UserError} where that cannot be read back. */
export function askInJobFile(file: JobFile, asked: NewClarification): JobFile {
  if (file.clarifications.some(({ id }) => id === asked.id)) {
    throw new UserError(`There is a question ${asked.id} already. Give this one another id.`);
  }
  const { text, lineEnd } = file.lines;
  const gap = text === "" || /[\r\n]$/.test(text) ? "" : lineEnd;
  const added = clarificationLines(asked).map((line) => line + lineEnd);
  const after = readJobFile(text + gap + added.join(""));
  const last = after.clarifications.at(-1);
  const isFine =
    after.clarifications.length === file.clarifications.length + 1 &&
    after.goal === file.goal &&
    last?.id === asked.id &&
    last.answer === undefined;
  if (isFine) return after;
  throw new UserError(
    "Nothing can be asked at the end of this file: a fence or comment is open there.",
  );
}

/** Takes an answered question out; an open one stays. Every other byte is kept. */
export function withoutAnswered(file: JobFile, id: string): JobFile {
  const found = file.clarifications.find((one) => one.id === id);
  if (found === undefined) throw new UserError(`There is no question ${id}.`);
  if (found.answer === undefined) throw new UserError(`Question ${id} is not answered yet.`);
  return readJobFile(file.lines.with([file.lines.replace(found.row, found.end, [])]));
}

function textsOf(given: unknown): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return list.filter((one) => typeof one === "string");
}
