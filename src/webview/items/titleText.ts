import { html } from "lit";
import type { TemplateResult } from "lit";
import { visibleText } from "./visibleText.js";

/**
 * Renders a tool's title or a path on one line. If it is too long, the end of a path stays visible: the
 * file's name says more than the folders before it.
 */
export function titleText(title: string): TemplateResult {
  const end = /\s/.test(title) ? -1 : title.lastIndexOf("/", title.length - 2);
  if (end < 1) return html`<span class="title-head">${visibleText(title)}</span>`;
  // The two parts are visual only: a screen reader would pause between them.
  return html`<span class="sr-only">${visibleText(title)}</span
    ><span class="title-head" aria-hidden="true">${visibleText(title.slice(0, end))}</span
    ><span class="title-tail" aria-hidden="true">${visibleText(title.slice(end))}</span>`;
}
