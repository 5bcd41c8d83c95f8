import MarkdownIt from "markdown-it";
import { costText } from "../../core/agent/costText.js";
import { messageWithFindings } from "../../core/conversation/events/findingsText.js";
import { modeName } from "../../core/experts/modeName.js";
import type { Report } from "../../core/experts/report.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { Translate } from "../../core/text/translator.js";
import { visibleText } from "../../core/text/visibleText.js";
import { joined } from "../work/row.js";
import { stateLook } from "../work/rowLooks.js";

const style = `<style>
body { background: var(--vscode-editor-background); }
main { max-width: 80ch; margin: 0 auto; padding: 8px 4px 32px; line-height: 1.5; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; }
.facts { color: var(--vscode-descriptionForeground); }
pre, td, th { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { padding: 8px; background: var(--vscode-textCodeBlock-background); }
td, th { padding: 2px 8px; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder)); }
</style>`;

/**
 * Returns a task's report as an HTML page.
 *
 * @param found `undefined` if the file cannot be read as a report
 * @param language of the translated words, as a BCP 47 tag
 */
export function reportHtml(
  task: TaskView,
  found: Report | undefined,
  t: Translate,
  language: string,
): string {
  const markdown = new MarkdownIt({ html: false });
  const { escapeHtml } = markdown.utils;
  // An image would be fetched from elsewhere as soon as it is shown; its text stands for it.
  markdown.renderer.rules["image"] = (tokens, index) => escapeHtml(tokens[index]?.content ?? "");
  const render = (text: string) => markdown.render(visibleText(text));
  const plain = (text: string) => escapeHtml(visibleText(text));
  const section = (title: string, html: string) => `<h2>${escapeHtml(title)}</h2>\n${html}`;
  const text = (title: string, content: string | null | undefined) =>
    content === null || content === undefined || content === ""
      ? ""
      : section(title, render(content));
  const { effort, changedAt, state } = task;
  const facts = joined(
    stateLook(state, t).text,
    t(modeName(task.mode)),
    changedAt === 0 ? "" : new Date(changedAt).toLocaleString(),
    effort === undefined ? "" : costText(effort.costUsd),
  );
  const paths = found?.output_artifact_paths ?? [];
  const items = paths.map((path) => `<li><code>${plain(path)}</code></li>`).join("");
  const head = `<title>${plain(task.goal)}</title>\n${style}`;
  return [
    `<html lang="${escapeHtml(language)}">\n<head>\n${head}\n</head>\n<body><main>`,
    `<h1>${plain(task.goal)}</h1>\n<p class="facts">${plain(facts)}</p>`,
    found === undefined
      ? `<p>${escapeHtml(t("The report cannot be read."))}</p>`
      : render(messageWithFindings(found.message, found.findings, t)),
    text(t("Question"), found?.clarification_question),
    text(t("Details"), found?.error_details),
    text(t("Advice"), found?.advice_details?.refined_goal),
    text(t("Plan"), found?.plan_overview),
    paths.length === 0 ? "" : section(t("Files"), `<ul>${items}</ul>`),
    "</main></body></html>",
  ].join("\n");
}
