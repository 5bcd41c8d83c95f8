import type { ProposalContent } from "../conversation/proposalContent.js";
import { messageOf } from "../errors.js";
import { type ProposedInstruction, readProposal } from "./proposal.js";

/** A proposal's document as it can be shown part by part; what a person has edited may be anything. */
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

/** What a person wanted changed of a proposal that was kept for that; `""` where it does not say. */
export function wantedChange(text: string): string {
  const [, words = ""] = text.split(/^## What is to change$/m);
  return paragraphs(words).join("\n\n");
}

/** Of quoted text, without the marks. */
function paragraphs(text: string): string[] {
  const plain = text.split(/\r?\n/).map((line) => line.replace(/^> ?/, "").trimEnd());
  return plain
    .join("\n")
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
