import { html, nothing, type TemplateResult } from "lit";
import { visibleText } from "../text/visibleText.js";
import { t } from "../text/words.js";
import type { ItemContext } from "./itemContext.js";

/** The most lines that are drawn until the user asks for all of them. */
const lineLimit = 2_000;
/** Lines in one block; the browser skips blocks that are out of view. */
const blockLines = 100;

const spokenKinds: Partial<Record<DiffLine["kind"], string>> = {
  added: t("added: "),
  removed: t("removed: "),
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
    <div class="diff scroll-area" tabindex="0" role="region" aria-label=${t("Changes")}>
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
              ${t("{0, plural, one {Show # More Line} other {Show # More Lines}}", lines.length - shown.length)}
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

export interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "hunk" | "file" | "note";
  readonly text: string;
}

/** Splits a unified diff into its lines, with the kind of each; accepts other lines around the hunks. */
export function diffLines(diff: string): DiffLine[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  // Old and new lines left in the hunk: inside a hunk, `--- a` is a removed line and not a file's name.
  let before = 0;
  let after = 0;
  return lines.map((text): DiffLine => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (hunk) {
      before = Number(hunk[1] ?? 1);
      after = Number(hunk[2] ?? 1);
      return { kind: "hunk", text };
    }
    const inHunk = before > 0 || after > 0;
    if (!inHunk && /^(---|\+\+\+|diff |index |Index:|={10})/.test(text)) {
      return { kind: "file", text };
    }
    switch (text.charAt(0)) {
      case "+":
        after--;
        return { kind: "added", text };
      case "-":
        before--;
        return { kind: "removed", text };
      case "\\":
        return { kind: "note", text };
      default:
        before--;
        after--;
        return { kind: "same", text };
    }
  });
}

/** Counts the lines that a diff adds and removes. */
export function diffCounts(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { kind } of diffLines(diff)) {
    if (kind === "added") added++;
    if (kind === "removed") removed++;
  }
  return { added, removed };
}
