import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CommandFacts, CommandVerdict } from "../../core/agent/commandFacts.js";
import { visibleText } from "./visibleText.js";

const verdicts: Record<CommandVerdict["verdict"], { icon: string; words: string }> = {
  reads: { icon: "eye", words: "Only reads" },
  allowed: { icon: "pass", words: "Your settings allow it" },
  asks: { icon: "question", words: "" },
  denied: { icon: "circle-slash", words: "Your settings forbid it" },
};

/** Renders what a command line was understood to do: the programs that it starts, and what it writes. */
export function commandParts(facts: CommandFacts): TemplateResult | typeof nothing {
  const { commands, writes } = facts;
  if (commands.length < 2 && writes.length === 0) return nothing;
  return html`<ul class="command-parts" aria-label="What it does">
    ${commands.length < 2 ? nothing : commands.map(part)}
    ${writes.map(
      (path) =>
        html`<li>
          <span class="codicon codicon-edit" aria-hidden="true"></span>
          <span>Writes <code>${visibleText(path)}</code></span>
        </li>`,
    )}
  </ul>`;
}

function part({ words, verdict, why }: CommandVerdict): TemplateResult {
  const { icon, words: said } = verdicts[verdict];
  return html`<li>
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    <span
      ><code>${visibleText(words.join(" "))}</code> ${said === "" ? visibleText(why) : said}</span
    >
  </li>`;
}
