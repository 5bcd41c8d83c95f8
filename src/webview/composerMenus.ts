import { html } from "lit";
import type { TemplateResult } from "lit";
import type { ApprovalPreset } from "../core/approvals/approvalRules.js";
import type { ExpertChoice, SandboxOffer } from "../protocol/messages.js";
import type { MenuChoice } from "./menuButton.js";
import "./menuButton.js";

/** The mode in which the Navigator decides itself. */
export const autoMode = "auto";

/** What a request can become; the values are experts' slugs, as the host takes them. */
const modes: readonly MenuChoice[] = [
  { value: autoMode, label: "Auto", icon: "compass", detail: "The Navigator decides what to do" },
  {
    value: "rooroo-analyzer",
    label: "Ask",
    icon: "question",
    detail: "Investigates and answers, changes nothing in the project",
  },
  {
    value: "rooroo-planner",
    label: "Plan",
    icon: "checklist",
    detail: "Breaks the goal down into tasks, which wait until you start them",
  },
  {
    value: "rooroo-developer",
    label: "Do",
    icon: "tools",
    detail: "Changes code and runs commands, without a plan",
  },
];

/** Renders the choice of what a request becomes. A chosen mode that no longer exists counts as Auto. */
export function modeMenu(
  chosen: string,
  own: readonly ExpertChoice[],
  choose: (mode: string) => void,
): TemplateResult {
  const choices: readonly MenuChoice[] = [
    ...modes,
    ...own.map(({ slug, name, description }) => {
      return { value: slug, label: name, icon: "person", detail: description };
    }),
  ];
  const selected = choices.find(({ value }) => value === chosen) ?? choices[0];
  return html`<rooroo-menu-button
    class="mode-menu"
    .label=${"Mode"}
    .icon=${selected?.icon ?? "compass"}
    .shown=${selected?.label ?? ""}
    .keys=${"Ctrl+."}
    .choices=${choices}
    .value=${selected?.value ?? autoMode}
    @rooroo-choose=${({ detail }: CustomEvent<string>) => {
      choose(detail);
    }}
  ></rooroo-menu-button>`;
}

const presets: Readonly<Record<ApprovalPreset, { label: string; detail: string; icon: string }>> = {
  ask: { label: "Ask", icon: "question", detail: "Asks before everything, reading included" },
  safe: {
    label: "Safe",
    icon: "shield",
    detail: "Reads the workspace without asking; asks before changes and other commands",
  },
  sandbox: {
    label: "Sandbox",
    icon: "package",
    detail: "Also changes project files and runs commands in a sandbox, without network",
  },
  all: {
    label: "All",
    icon: "warning",
    detail:
      "Asks for nothing in the workspace, web requests included. Without a sandbox, a command can do whatever you can do: only for workspaces that you can afford to lose",
  },
};

/**
 * Renders the choice of what runs without approval.
 *
 * @param sandbox whether the sandbox works here; absent while that is not known
 */
export function approvalsMenu(
  chosen: ApprovalPreset,
  sandbox: SandboxOffer | undefined,
  { choose, open }: { choose: (preset: string) => void; open: () => void },
): TemplateResult {
  const missing = sandbox && "reason" in sandbox ? sandbox.reason : undefined;
  const choices = Object.entries(presets).map(([value, { label, icon, detail }]): MenuChoice => {
    const isMissing = value === "sandbox" && missing !== undefined;
    const why = isMissing ? `Does not work here: ${missing}` : detail;
    return { value, label, icon, detail: why, ...(isMissing ? { isDisabled: true } : {}) };
  });
  const { label, icon } = presets[chosen];
  return html`<rooroo-menu-button
    class=${`approvals-menu ${chosen === "all" ? "is-risky" : ""}`}
    .label=${"Approvals"}
    .icon=${icon}
    .shown=${label}
    .keys=${"Ctrl+Alt+."}
    .choices=${choices}
    .value=${chosen}
    @rooroo-open=${open}
    @rooroo-choose=${({ detail }: CustomEvent<string>) => {
      choose(detail);
    }}
  ></rooroo-menu-button>`;
}
