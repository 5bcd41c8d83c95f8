import { html, nothing, type TemplateResult } from "lit";
import type { ToldAction } from "../../core/agent/tool.js";
import { visibleText } from "../text/visibleText.js";
import { rich, t } from "../text/words.js";
import { diffView } from "./diffView.js";
import type { ItemContext } from "./itemContext.js";

/** Renders everything that the proposed action would do. */
export function actionPreview(action: ToldAction, context: ItemContext): TemplateResult {
  if (action.preview.kind === "diff") return diffView(action.preview.text, context);
  if (action.access === "command") return commandPreview(action);
  if (action.access === "spend") return html`<p>${visibleText(action.preview.text)}</p>`;
  return html`<pre
    class="command scroll-area"
    tabindex="0"
    role="region"
    aria-label=${t("Details")}
  >
${visibleText(action.preview.text)}</pre>`;
}

type ToldCommand = Extract<ToldAction, { access: "command" }>;
type ToldFacts = NonNullable<ToldCommand["facts"]>;
type ToldVerdict = ToldFacts["commands"][number];

function commandPreview({ preview, path: folder, facts }: ToldCommand): TemplateResult {
  const command = preview.text;
  const lines = command.split("\n").length;
  return html`
    <pre class="command scroll-area" tabindex="0" role="region" aria-label=${t("Command")}>
${visibleText(command)}</pre>
    <p class="subtle">
      ${
        folder === ""
          ? t("in the workspace's folder")
          : rich("in {0}", html`<code>${visibleText(folder)}</code>`)
      }${lines > 1 ? `, ${t("{0, plural, one {# line} other {# lines}}", lines)}` : nothing}
    </p>
    ${facts === undefined ? nothing : commandParts(facts)}
  `;
}

const verdicts: Record<ToldVerdict["verdict"], { icon: string; words: string }> = {
  reads: { icon: "eye", words: t("Only reads") },
  allowed: { icon: "pass", words: t("Your settings allow it") },
  asks: { icon: "question", words: "" },
  denied: { icon: "circle-slash", words: t("Your settings forbid it") },
};

/** Renders what a command line was understood to do: the programs that it starts, and what it writes. */
function commandParts(facts: ToldFacts): TemplateResult | typeof nothing {
  const { commands, writes } = facts;
  if (commands.length < 2 && writes.length === 0) return nothing;
  return html`<ul class="command-parts" aria-label=${t("What it does")}>
    ${commands.length < 2 ? nothing : commands.map(part)}
    ${writes.map(
      (path) =>
        html`<li>
          <span class="codicon codicon-edit" aria-hidden="true"></span>
          <span>${rich("Writes {0}", html`<code>${visibleText(path)}</code>`)}</span>
        </li>`,
    )}
  </ul>`;
}

function part({ words, verdict, why }: ToldVerdict): TemplateResult {
  const { icon, words: meaning } = verdicts[verdict];
  return html`<li>
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    <span
      ><code>${visibleText(words.join(" "))}</code>
      ${meaning === "" ? visibleText(why) : meaning}</span
    >
  </li>`;
}
