import { fenced } from "../../text/fenced.js";
import { english } from "../../text/translator.js";
import { visibleText } from "../../text/visibleText.js";
import { messageWithFindings } from "../events/findingsText.js";
import type { ApprovalView, Item } from "./items.js";

/**
 * Returns a conversation as a Markdown document, for people to read and keep.
 *
 * @param modeName returns the name of a mode for people
 */
export function conversationMarkdown(
  title: string,
  items: readonly Item[],
  modeName: (slug: string) => string,
): string {
  const parts = items
    .map((item) => visibleText(itemMarkdown(item, modeName)))
    .filter((part) => part !== "");
  return `${[`# ${visibleText(title) || "Conversation"}`, ...parts].join("\n\n")}\n`;
}

function itemMarkdown(item: Item, modeName: (slug: string) => string): string {
  switch (item.kind) {
    case "user":
      return `## You, ${timeOf(item)}\n\n${item.text}`;
    case "notice":
      return item.text;
    case "task":
      return `### ${modeName(item.mode)}: ${oneLine(item.goal)}`;
    case "text":
      return item.text;
    case "tool": {
      const state = { ok: "", failed: ", failed", interrupted: ", interrupted", running: "" };
      const what = `- \`${oneLine(item.title).replaceAll("`", "'")}\`${state[item.state]}`;
      if (item.approval?.state === "open") return `${what}\n\n${approvalMarkdown(item.approval)}`;
      return item.diff === undefined ? what : `${what}\n\n${fenced(item.diff, "diff")}`;
    }
    case "checklist":
      return item.steps
        .map(({ text, state }) => `- [${state === "done" ? "x" : " "}] ${oneLine(text)}`)
        .join("\n");
    case "question": {
      const answer = item.answer === undefined ? "" : `\n\n**Answer:** ${item.answer}`;
      return `**${modeName(item.mode)} asks:** ${item.text}${answer}`;
    }
    case "proposal":
      return [item.intro, item.summary, item.answer && `**Answer:** ${item.answer}`]
        .filter((part) => part !== undefined && part !== "")
        .join("\n\n");
    case "plan": {
      const tasks = item.tasks.map(({ mode, goal }, index) => {
        return `${index + 1}. ${modeName(mode)}: ${oneLine(goal)}`;
      });
      return [`**Plan:** ${oneLine(item.goal)}`, item.overview ?? "", tasks.join("\n")]
        .filter((part) => part !== "")
        .join("\n\n");
    }
    // What a model thought is no part of what was said.
    case "reasoning":
      return "";
    case "report": {
      const files = item.artifacts.map((path) => `- ${oneLine(path)}`).join("\n");
      const words = messageWithFindings(item.message, item.findings, english);
      return [`**${item.end}.** ${words}`, files].filter((part) => part !== "").join("\n\n");
    }
  }
}

function approvalMarkdown({ action, why }: ApprovalView): string {
  const { title, preview } = action;
  const reason = why === undefined ? "" : `\n\n${why.text}`;
  const language = preview.kind === "diff" ? "diff" : "";
  return `**Waiting for your approval:** ${oneLine(title)}${reason}\n\n${fenced(preview.text, language)}`;
}

function timeOf({ at }: Item): string {
  return at.slice(0, 16).replace("T", " ");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
