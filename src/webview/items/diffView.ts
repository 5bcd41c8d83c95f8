import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { diffLines } from "../diffLines.js";
import type { DiffLine } from "../diffLines.js";
import type { ItemContext } from "../itemContext.js";
import { plural } from "../plural.js";
import { visibleText } from "./visibleText.js";

/** How many lines are drawn until the user asks for all of them. */
const lineLimit = 2_000;
/** Lines in one block; the browser skips blocks that are out of view. */
const blockLines = 100;

const spokenKinds: Partial<Record<DiffLine["kind"], string>> = {
  added: "added: ",
  removed: "removed: ",
};

/** Renders the diff of one file without the file's name, which the caller shows. */
export function diffView(diff: string, { view, change }: ItemContext): TemplateResult {
  const all = diffLines(diff);
  const lines = all.slice(all.findIndex(({ kind }) => kind !== "file"));
  const shown = view.whole ? lines : lines.slice(0, lineLimit);
  const blocks: DiffLine[][] = [];
  for (let at = 0; at < shown.length; at += blockLines) {
    blocks.push(shown.slice(at, at + blockLines));
  }
  return html`
    <div class="diff scroll-area" tabindex="0" role="region" aria-label="Changes">
      ${blocks.map((block) => html`<div class="diff-block">${block.map(diffLine)}</div>`)}
      ${
        shown.length === lines.length
          ? nothing
          : html`<button
              type="button"
              class="link-button"
              @click=${() => {
                change({ whole: true });
              }}
            >
              Show ${plural(lines.length - shown.length, "More Line")}
            </button>`
      }
    </div>
  `;
}

function diffLine({ kind, text }: DiffLine): TemplateResult {
  const marked = kind === "added" || kind === "removed" || kind === "same";
  const sign = marked ? text.charAt(0) : "";
  const spoken = spokenKinds[kind];
  return html`<div class="diff-line ${kind}">
    <span class="diff-sign" aria-hidden="true">${sign}</span
    ><span class="diff-text"
      >${spoken === undefined ? nothing : html`<span class="sr-only">${spoken}</span>`}${visibleText(
        marked ? text.slice(1) : text,
      )}</span
    >
  </div>`;
}
