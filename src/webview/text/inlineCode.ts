import { html, type TemplateResult } from "lit";
import { visibleText } from "./visibleText.js";

/** Renders text as it is, but for what stands in backticks, which is rendered as code. */
export function inlineCode(text: string): TemplateResult {
  // Every second part is in backticks. No white space between the parts: it would be shown.
  return html`${text
    .split(/`([^`\n]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? html`<code>${visibleText(part)}</code>` : visibleText(part),
    )}`;
}
