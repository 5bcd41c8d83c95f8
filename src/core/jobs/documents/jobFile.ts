import type { DocumentProblem } from "../../documents/documentProblem.js";
import { CannotEdit, editDocument } from "../../documents/editDocument.js";
import { type FrontMatter, readFrontMatter } from "../../documents/frontMatter.js";
import { type Change, TextLines } from "../../documents/textLines.js";
import { UserError } from "../../errors.js";
import { type Words, words } from "../../text/words.js";
import { type Written, writtenLanguage } from "../../text/writtenLanguage.js";
import type { Block } from "./block.js";
import {
  type Clarification,
  clarificationLines,
  type NewClarification,
  readClarifications,
} from "./clarification.js";
import { oneLine, readOutline } from "./outline.js";

/** A `*.job.md` or `*.task.md`: what the user wants, and the questions to the user. */
export interface JobFile {
  readonly lines: TextLines;
  readonly matter: FrontMatter;
  /** The name in the front matter. If it is `undefined`, the job is named after its file. */
  readonly name: string | undefined;
  /** Folders that the work is about, from `dir` or `dirs`. */
  readonly dirs: readonly string[];
  readonly agents: readonly string[];
  readonly model: string | undefined;
  /** Milliseconds from the beginning of one cycle to the next; `undefined` if the job is not periodic. */
  readonly every: number | undefined;
  /** The command that has to succeed before a task counts as done. */
  readonly check: string | undefined;
  /** Whether a model reviews a task before it counts as done. */
  readonly isReviewed: boolean;
  /** Whether each task that is done becomes a commit. */
  readonly isCommitted: boolean;
  /** Problems of the front matter. */
  readonly problems: readonly DocumentProblem[];
  /** The file's text, without front matter and clarifications. */
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
  const period = matter.get("every");
  const every = readPeriod(period);
  const check = matter.get("check");
  const [review, git] = [plainWord(matter.get("review")), plainWord(matter.get("git"))];
  const problem = (key: string, rule: string, message: Words): DocumentProblem[] => [
    { row: matter.rowOf(key), rule, message },
  ];
  const problems = [
    ...(period === undefined || period === null || every !== undefined
      ? []
      : problem(
          "every",
          "R-JIXO-30",
          words("every is no period. Write it as in 30m, 12h, 1d or 2w."),
        )),
    ...(check === undefined || check === null || commandOf(check) !== undefined
      ? []
      : problem(
          "check",
          "R-JIXO-33",
          words("check is no command. Write one line, as in npm test."),
        )),
    ...(review === "" || yes.has(review) || no.has(review)
      ? []
      : problem("review", "R-JIXO-33", words("review is true or false."))),
    ...(git === "" || git === "commit" || no.has(git)
      ? []
      : problem("git", "R-JIXO-34", words("git is commit, or left out."))),
  ];
  return {
    lines,
    matter,
    clarifications,
    name: typeof name === "string" && name.trim() !== "" ? name.trim() : undefined,
    model: typeof model === "string" && model.trim() !== "" ? model.trim() : undefined,
    every,
    check: commandOf(check),
    isReviewed: yes.has(review),
    isCommitted: git === "commit",
    problems: [...matter.problems.map((one) => ({ ...one, rule: "R-JIXO-28" })), ...problems],
    dirs: textsOf(matter.get("dirs") ?? matter.get("dir")),
    agents: textsOf(matter.get("agents")),
    goal: lines
      .with([...front, ...own])
      .replace(/^\uFEFF/, "")
      .trim(),
  };
}

/**
 * Adds a question at the very end of the file.
 *
 * @throws {UserError} if the id is taken, or the question could not be read back
 */
export function askInJobFile(file: JobFile, asked: NewClarification): JobFile {
  if (file.clarifications.some(({ id }) => id === asked.id)) {
    throw new UserError(
      "questionExists",
      "There is a question {id} already. Give this one another id.",
      { id: asked.id },
    );
  }
  const { text, lineEnd } = file.lines;
  const gap = text === "" || /[\r\n]$/.test(text) ? "" : lineEnd;
  const added = clarificationLines(asked).map((line) => line + lineEnd);
  const change = { start: text.length, end: text.length, text: gap + added.join("") };
  return edited(file, change, {
    refusal: () =>
      new CannotEdit(
        "questionUnwritable",
        "A question cannot be written at the end of this file, because a fence or comment is open there. Close it.",
      ),
    isExpected: ({ clarifications, goal }) => {
      const last = clarifications.at(-1);
      const isOne = clarifications.length === file.clarifications.length + 1;
      const isAsked = last?.id === asked.id && last.answer === undefined;
      return isOne && isAsked && goal === file.goal;
    },
  });
}

/**
 * Writes an answer below the question's response label.
 *
 * @throws {UserError} if there is no such question, if it is answered already, or if the answer would not be
 * read back unchanged
 */
export function answerInJobFile(file: JobFile, id: string, text: string): JobFile {
  const found = file.clarifications.find((one) => one.id === id);
  if (found === undefined)
    throw new UserError("questionUnknown", "There is no question {id}.", { id });
  if (found.answer !== undefined) {
    throw new UserError(
      "questionAnswered",
      "Question {id} is answered already. Change the answer in the file.",
      { id },
    );
  }
  const answer = text.trim().replace(/\r\n?/g, "\n");
  if (answer === "")
    throw new UserError(
      "answerEmpty",
      "The answer is empty. Write it into the job file, under Response.",
    );
  const { lines } = file;
  const isClosed = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(lines.row(found.end - 1));
  const end = isClosed ? found.end - 1 : found.end;
  const [first = "", ...more] = answer.split("\n");
  const rows = [`- ${first}`, ...more.map((line) => (line.trim() === "" ? "" : `  ${line}`))];
  const from = found.answerRow + 1;
  const change = from < end ? lines.replace(from, end, rows) : lines.insert(from, rows);
  return edited(file, change, {
    refusal: () =>
      new CannotEdit(
        "answerUnwritable",
        "This answer would not be read back unchanged. Write it into the job file, under Response.",
      ),
    isExpected: ({ clarifications, goal }) =>
      clarifications.length === file.clarifications.length &&
      goal === file.goal &&
      clarifications.find((one) => one.id === id)?.answer === answer,
  });
}

/**
 * Removes an answered question, and keeps every other byte.
 *
 * @throws {UserError} if there is no such question, if it is still open, or if another one could not be read
 * any more
 */
export function withoutAnswered(file: JobFile, id: string): JobFile {
  const found = file.clarifications.find((one) => one.id === id);
  if (found === undefined)
    throw new UserError("questionUnknown", "There is no question {id}.", { id });
  if (found.answer === undefined)
    throw new UserError(
      "questionUnanswered",
      "Question {id} is not answered yet. Answer it first.",
      { id },
    );
  // The goal is not compared: behind a question without an end, it becomes a part of that question.
  return edited(file, file.lines.replace(found.row, found.end, []), {
    refusal: () =>
      new CannotEdit(
        "questionUnremovable",
        "Question {id} cannot be removed from the file as it is. Remove it by hand.",
        { id },
      ),
    isExpected: ({ clarifications }) => clarifications.length === file.clarifications.length - 1,
  });
}

/**
 * Adds what the user has decided to the list under `## Decided`, in the file's language, at the end of the file's own text, where all
 * later work sees it. Makes the section if there is none. The answer becomes one line.
 *
 * @throws {CannotEdit} if the file would not read as before, but for the decision
 */
export function withDecision(
  file: JobFile,
  { question, answer }: { readonly question: string; readonly answer: string },
): JobFile {
  const { lines, matter, clarifications } = file;
  const blocks = readOutline(lines, matter.rows);
  const at = blocks.findIndex(isDecided);
  const next = blocks.find(
    (block, index) => at !== -1 && index > at && block.kind === "heading" && block.level <= 2,
  );
  let row = Math.min(next?.row ?? lines.count, clarifications[0]?.row ?? lines.count);
  while (row > matter.rows && lines.isBlank(row - 1)) row--;
  const item = `- ${oneLine(question)} → ${oneLine(answer)}`;
  const isFirst = at !== -1 && blocks[at]?.row === row - 1;
  const title = `## ${decided[writtenLanguage(file.goal)]}`;
  const heading = row === 0 ? [title, ""] : ["", title, ""];
  const above = at === -1 ? heading : isFirst ? [""] : [];
  return edited(file, lines.insert(row, [...above, item]), {
    refusal: () =>
      new CannotEdit(
        "decisionUnwritable",
        "The answer cannot be kept under ## Decided in the file as it is. Write it there by hand: it stands in the log.",
      ),
    isExpected: (after) =>
      readOutline(after.lines, after.matter.rows).some(isDecided) &&
      after.goal.includes(item) &&
      after.clarifications.length === clarifications.length,
  });
}

/** Returns the decisions in the list under `## Decided`. */
export function decisionsIn({ lines, matter }: JobFile): { question: string; answer: string }[] {
  const blocks = readOutline(lines, matter.rows);
  const at = blocks.findIndex(isDecided);
  const rest = at === -1 ? [] : blocks.slice(at + 1);
  const end = rest.findIndex((block) => block.kind === "heading");
  return rest.slice(0, end === -1 ? undefined : end).flatMap((block) => {
    const [question = "", answer] = block.kind === "item" ? block.lines.join(" ").split(" → ") : [];
    return answer === undefined ? [] : [{ question, answer }];
  });
}

function isDecided(block: Block): boolean {
  return (
    block.kind === "heading" && block.level === 2 && Object.values(decided).includes(block.text)
  );
}

/** The heading of what the user has decided. */
const decided: Written<string> = {
  en: "Decided",
  de: "Entschieden",
  es: "Decidido",
  ja: "決定事項",
  zh: "已决定",
};

/**
 * Returns the file with a change made in its text.
 *
 * @throws {CannotEdit} if the result is not as expected
 */
function edited(
  { lines }: JobFile,
  change: Change,
  check: { refusal: () => CannotEdit; isExpected: (after: JobFile) => boolean },
): JobFile {
  return editDocument(lines.text, [change], { read: readJobFile, ...check });
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Reads a period such as `30m`, `12 hours` or `1d`. Returns milliseconds, at least those of one minute, or
 * `undefined` for anything else.
 */
function readPeriod(given: unknown): number | undefined {
  const text = typeof given === "string" ? given.trim().toLowerCase() : "";
  const [, count, unit] =
    /^(\d{1,6})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)$/.exec(text) ?? [];
  const length = units[unit?.[0] as keyof typeof units] as number | undefined;
  return length === undefined || Number(count) === 0 ? undefined : Number(count) * length;
}

const yes: ReadonlySet<string> = new Set(["true", "yes"]);
const no: ReadonlySet<string> = new Set(["false", "no"]);

/** Returns a word of the front matter in lower case; empty if there is none, `?` for anything but a word. */
function plainWord(given: unknown): string {
  if (given === undefined || given === null) return "";
  if (typeof given === "boolean") return String(given);
  return typeof given === "string" ? given.trim().toLowerCase() : "?";
}

/** Returns a command line; `undefined` for anything else. */
function commandOf(given: unknown): string | undefined {
  const text = typeof given === "string" ? given.trim() : "";
  return text === "" || text.includes("\n") ? undefined : text;
}

function textsOf(given: unknown): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  return list.filter((one) => typeof one === "string");
}
