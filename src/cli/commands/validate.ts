import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import type { DocumentProblem } from "../../core/documents/documentProblem.js";
import { parseQueue } from "../../core/documents/queue.js";
import { Modes } from "../../core/experts/modes.js";
import { readJobLog } from "../../core/jobs/documents/jobLog.js";
import { logProblems } from "../../core/jobs/documents/logProblems.js";
import { readRunTable, runTables, type TableName } from "../../core/runs/documents/runTables.js";
import { tableProblems } from "../../core/runs/documents/tableProblems.js";
import { type Said, spoken, words } from "../../core/text/words.js";
import { errorCode } from "../../node/files/fileError.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

export interface Problem {
  /** 1-based. */
  readonly line: number;
  /** The field's path, as in `queue_tasks_json_lines.0.goal_for_expert`, or the rule that is broken. */
  readonly field?: string;
  readonly message: Said;
}

/** The problems of one file, or the words for a file that has none. */
export interface Verdict {
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly fine: string;
}

/** Checks the lines of a queue. Throws {@link WrongUse} if the file or the workspace cannot be read. */
export async function validateQueue(file: string, { options, input }: Cli): Promise<Result<never>> {
  // The workspace's own modes may take tasks, too.
  const modes = await workspaceModes(options.workspace);
  const read = await readTextFile(file, input);
  if ("problem" in read) return judged({ file, problems: [read.problem], fine: "" });
  const lines = parseQueue(read.text, (name) => modes.named(name));
  const problems = lines.flatMap((line): Problem[] =>
    line.kind === "problem" ? [{ line: line.line, message: line.reason }] : [],
  );
  const count = lines.filter(({ kind }) => kind === "task").length;
  return judged({ file, problems, fine: fineTasks(count) });
}

/** Checks job logs against their rules. Throws {@link WrongUse} if a file cannot be read. */
export function validateJobLog(files: readonly string[], { input }: Cli): Promise<Result<never>> {
  return validateDocuments({ files, input }, fineTasks, (text) => {
    const log = readJobLog(text);
    return { problems: logProblems(log), count: log.tasks.length };
  });
}

/**
 * Checks runs' tables against their rules. A file's name says which table it is. Throws {@link WrongUse} if a
 * file cannot be read, or if there is no table of its name.
 */
export function validateRunTables(
  files: readonly string[],
  { input }: Cli,
): Promise<Result<never>> {
  return validateDocuments({ files, input }, fineRows, (text, file) => {
    const name = tableNamed(file);
    const table = readRunTable(name, text);
    return { problems: tableProblems(name, table), count: table.rows.length };
  });
}

/** Returns the result of a command that checks one file: it fails if the file has problems. */
export function judged(verdict: Verdict): Result<never> {
  return {
    end: verdict.problems.length === 0 ? "done" : "failed",
    json: () => verdictJson(verdict),
    text: () => verdictText(verdict),
  };
}

/** Returns the problems, one per line, or the words for a file that has none. */
export function verdictText({ file, problems, fine }: Verdict): string {
  if (problems.length === 0) return `${terminalText(file)}: ${fine}\n`;
  const lines = problems.map(({ line, field, message }) => {
    const about = field === undefined ? "" : `${field}: `;
    return `${terminalText(`${file}:${line}: ${about}${spoken(message, t)}`)}\n`;
  });
  return lines.join("");
}

/**
 * Reads a file, or standard input for `-`. Returns a problem if it is not UTF-8 text. Throws
 * {@link WrongUse} if the file cannot be read.
 */
export async function readTextFile(
  file: string,
  input: Cli["input"],
): Promise<{ text: string } | { problem: Problem }> {
  const bytes = file === "-" ? await buffer(input) : await readBytes(file);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: { line: 1, message: words("This is not UTF-8 text.") } };
  }
}

/** Reads the modes of a workspace. Throws {@link WrongUse} if there is no such folder. */
export async function workspaceModes(workspace: string | undefined): Promise<Modes> {
  const { files } = localServices(await workspaceRoot(workspace), "rooroo validate");
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  return modes;
}

/** @param fine what is said of a file without problems, by what {@link check} counts */
async function validateDocuments(
  { files, input }: { readonly files: readonly string[]; readonly input: Cli["input"] },
  fine: (count: number) => string,
  check: (
    text: string,
    file: string,
  ) => { readonly problems: readonly DocumentProblem[]; readonly count: number },
): Promise<Result<never>> {
  const verdicts: Verdict[] = [];
  for (const file of files) {
    const read = await readTextFile(file, input);
    if ("problem" in read) {
      verdicts.push({ file, problems: [read.problem], fine: "" });
      continue;
    }
    const { problems, count } = check(read.text, file);
    verdicts.push({
      file,
      problems: problems.map(({ row, rule, message }) => ({ line: row + 1, field: rule, message })),
      fine: fine(count),
    });
  }
  return {
    end: verdicts.every(({ problems }) => problems.length === 0) ? "done" : "failed",
    json: () => verdicts.map(verdictJson),
    text: () => verdicts.map(verdictText).join(""),
  };
}

function verdictJson({ file, problems }: Verdict): object {
  return { file, valid: problems.length === 0, problems };
}

function fineTasks(count: number): string {
  return t("{0, plural, one {# task} other {# tasks}}, no problems.", count);
}

function fineRows(count: number): string {
  return t("{0, plural, one {# row} other {# rows}}, no problems.", count);
}

function tableNamed(file: string): TableName {
  const name = basename(file).replace(/\.md$/i, "");
  const known = Object.keys(runTables) as TableName[];
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const names = known.map((one) => `${one}.md`).join(", ");
  throw new WrongUse(
    "notATableName",
    "{file} does not have the name of a run's table. The names are: {names}.",
    { file, names },
  );
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw errorCode(error) === "ENOENT"
      ? new WrongUse("fileMissing", "There is no file {file}. Name one that exists.", { file })
      : new WrongUse(
          "fileUnreadable",
          "{file} cannot be read ({cause}). Name a file that you may read.",
          { file, cause: errorCode(error) ?? "unknown" },
        );
  }
}
