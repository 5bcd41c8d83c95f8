import type { ProposalContent } from "../conversation/events.js";
import { messageOf } from "../errors.js";
import { type ProposedInstruction, readProposal } from "./proposal.js";

/** Splits a proposal's document into parts to show. The user may have edited it, so any text is accepted. */
export function proposalContent(runId: string, path: string, text: string): ProposalContent {
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const end = section.search(/\r?\n|$/);
        return [section.slice(0, end).trim(), paragraphs(section.slice(end))];
      }),
  );
  const [request = [], summary = []] = ["What you asked for", "What will be done"].map((title) =>
    sections.get(title),
  );
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
    request: request.join("\n\n"),
    summary: summary.join("\n\n"),
    conflicts: sections.get("What is at odds with earlier instructions") ?? [],
    questions: sections.get("Open questions") ?? [],
  };
}

/** Returns the changes that the user wanted of an earlier proposal; `""` if it names none. */
export function wantedChange(text: string): string {
  const [, words = ""] = text.split(/^## What is to change$/m);
  return paragraphs(words).join("\n\n");
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
