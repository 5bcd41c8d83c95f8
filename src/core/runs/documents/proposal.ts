import type { ProposalContent } from "../../conversation/events/events.js";
import { type KeyedTable, readKeyedTable } from "../../documents/keyedTable.js";
import { writeCell } from "../../documents/tableCell.js";
import { UserError, messageOf } from "../../errors.js";
import type { RunId } from "../../ids.js";
import { filled, writtenLanguage } from "../../text/writtenLanguage.js";
import { everyForm, runWordsIn } from "./runWords.js";

/** An instruction that becomes active once the user confirms it. */
export interface ProposedInstruction {
  readonly type: string;
  readonly content: string;
  /** Ids of the instructions that it replaces. */
  readonly supersedes: readonly string[];
  readonly justification: string;
}

export interface Proposal {
  readonly summary: string;
  readonly instructions: readonly ProposedInstruction[];
  readonly conflicts: readonly string[];
  readonly questions: readonly string[];
}

const columns = ["content", "instruction_type", "supersedes", "justification"] as const;

/**
 * Returns the document that the user confirms, or edits and confirms. Only its table counts, and which folders the
 * list of the material names.
 *
 * @param material the lines of that list
 */
export function proposalText(
  runId: RunId,
  request: string,
  proposal: Proposal,
  material: readonly string[],
): string {
  const { summary, instructions, conflicts, questions } = proposal;
  const rows = instructions.map(({ type, content, supersedes, justification }) => [
    content,
    type,
    supersedes.join(", "),
    justification,
  ]);
  const row = (cells: readonly string[]) => `| ${cells.map(writeCell).join(" | ")} |`;
  const words = runWordsIn(writtenLanguage(request));
  const list = (title: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : ["", `## ${title}`, ...texts.flatMap((text) => ["", quoted(text)])];
  return [
    `# ${filled(words.proposal, runId)}`,
    "",
    words.decide,
    "",
    `## ${words.asked}`,
    "",
    quoted(request),
    "",
    `## ${words.done}`,
    "",
    quoted(summary),
    "",
    `## ${words.material}`,
    "",
    ...material,
    "",
    `## ${words.instructions}`,
    "",
    words.lasting,
    "",
    row(columns),
    row(columns.map(() => ":---")),
    ...rows.map(row),
    ...list(words.conflicts, conflicts),
    ...list(words.questions, questions),
    "",
  ].join("\n");
}

/**
 * Reads the instructions from the document as it is now.
 *
 * @throws {UserError} with the line, if the table cannot be read or is empty
 */
export function readProposal(path: string, text: string): ProposedInstruction[] {
  const table: KeyedTable<(typeof columns)[number]> = readKeyedTable(text, columns);
  const [trouble] = [
    ...table.problems,
    ...table.rows.flatMap(({ source: { row }, problem: message }) =>
      message === undefined ? [] : [{ row, message }],
    ),
  ];
  if (trouble !== undefined)
    throw new UserError("proposalInvalid", "{path}:{line}: {problem}", {
      path,
      line: trouble.row + 1,
      problem: trouble.message,
    });
  if (table.rows.length === 0)
    throw new UserError("proposalEmpty", "{path} has no instruction. Add one.", { path });
  return table.rows.map(({ values }) => ({
    type: values.instruction_type,
    content: values.content,
    supersedes: values.supersedes.split(/[\s,;]+/).filter((id) => id !== ""),
    justification: values.justification,
  }));
}

/** Returns an earlier proposal together with the changes that the user wants. */
export function changedProposal(text: string, wanted: string): string {
  const { change } = runWordsIn(writtenLanguage(wanted));
  return `${text.trimEnd()}\n\n## ${change}\n\n${quoted(wanted)}\n`;
}

/** Quotes a text, so that nothing in it is read as part of the document. */
function quoted(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/);
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** Splits a proposal's document into parts to show. The user may have edited it, so any text is accepted. */
export function proposalContent(runId: RunId, path: string, text: string): ProposalContent {
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const end = section.search(/\r?\n|$/);
        return [section.slice(0, end).trim(), paragraphs(section.slice(end))];
      }),
  );
  // The document may have been written for a request in another language than this text now has.
  const section = (name: "asked" | "done" | "conflicts" | "questions") =>
    everyForm(name).flatMap((title) => sections.get(title) ?? []);
  let instructions: readonly ProposedInstruction[] = [];
  let problem = "";
  try {
    instructions = readProposal(path, text);
  } catch (error) {
    problem = messageOf(error);
  }
  return {
    runId,
    path,
    instructions,
    problem,
    request: section("asked").join("\n\n"),
    summary: section("done").join("\n\n"),
    conflicts: section("conflicts"),
    questions: section("questions"),
  };
}

/** Returns the changes that the user wanted of an earlier proposal; `""` if it names none. */
export function wantedChange(text: string): string {
  const headings = everyForm("change").map((title) => `\n## ${title}\n`);
  const heading = headings.find((one) => text.includes(one));
  const [, wanted = ""] = heading === undefined ? [] : text.split(heading);
  return paragraphs(wanted).join("\n\n");
}

/** Returns the paragraphs of quoted text, without the quote marks. */
function paragraphs(text: string): string[] {
  const plain = text.split(/\r?\n/).map((line) => line.replace(/^> ?/, "").trimEnd());
  return plain
    .join("\n")
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
