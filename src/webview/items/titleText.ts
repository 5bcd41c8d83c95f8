import { html } from "lit";
import type { TemplateResult } from "lit";
import { visibleText } from "./visibleText.js";

/**
 * A tool's title or a path on one line. Where it is too long, a path's end stays: the file's name
 * says more than the folders before it.
 */
export function titleText(title: string): TemplateResult {
  const end = /\s/.test(title) ? -1 : title.lastIndexOf("/", title.length - 2);
  if (end < 1) return html`<span class="title-head">${visibleText(title)}</span>`;
  // In two parts for the eye only: a screen reader would pause between them.
  return html`<span class="sr-only">${visibleText(title)}</span
    ><span class="title-head" aria-hidden="true">${visibleText(title.slice(0, end))}</span
    ><span class="title-tail" aria-hidden="true">${visibleText(title.slice(end))}</span>`;
}
