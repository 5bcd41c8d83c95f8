import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CommandIntent, Intent } from "../../core/agent/tool.js";
import type { ItemContext } from "../itemContext.js";
import { plural } from "../plural.js";
import { commandParts } from "./commandParts.js";
import { diffView } from "./diffView.js";
import { visibleText } from "./visibleText.js";

/** Renders everything that the proposed action would do. */
export function intentPreview(intent: Intent, context: ItemContext): TemplateResult {
  if (intent.preview.kind === "diff") return diffView(intent.preview.text, context);
  if (intent.access === "command") return commandPreview(intent);
  if (intent.access === "spend") return html`<p>${visibleText(intent.preview.text)}</p>`;
  return html`<pre class="command scroll-area" tabindex="0" role="region" aria-label="Details">
${visibleText(intent.preview.text)}</pre>`;
}

function commandPreview({ preview, path: folder, facts }: CommandIntent): TemplateResult {
  const command = preview.text;
  const lines = command.split("\n").length;
  return html`
    <pre class="command scroll-area" tabindex="0" role="region" aria-label="Command">
${visibleText(command)}</pre>
    <p class="subtle">
      in
      ${folder === "" ? "the workspace's folder" : html`<code>${visibleText(folder)}</code>`}${
        lines > 1 ? `, ${plural(lines, "line")}` : nothing
      }
    </p>
    ${facts === undefined ? nothing : commandParts(facts)}
  `;
}
