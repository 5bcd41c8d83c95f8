import { html, type TemplateResult } from "lit";
import type { ApprovalPreset } from "../../core/approvals/approvalRules.js";
import type { ExpertChoice, SandboxOffer } from "../../protocol/messages.js";
import { t } from "../text/words.js";
import "./menuButton.js";
import type { MenuChoice } from "./menuButton.js";

/** The mode in which the Navigator decides itself. */
export const autoMode = "auto";

/** What a request can become; the values are experts' slugs, as the host takes them. */
const modes: readonly MenuChoice[] = [
  {
    value: autoMode,
    label: t("Auto"),
    icon: "compass",
    detail: t("The Navigator decides what to do"),
  },
  {
    value: "rooroo-analyzer",
    label: t("Ask"),
    icon: "question",
    detail: t("Investigates and answers, changes nothing in the project"),
  },
  {
    value: "rooroo-planner",
    label: t("Plan"),
    icon: "checklist",
    detail: t("Breaks the goal down into tasks, which wait until you start them"),
  },
  {
    value: "rooroo-developer",
    label: t("Do"),
    icon: "tools",
    detail: t("Changes code and runs commands, without a plan"),
  },
];

/** The choice beside the modes that has plans work in worktrees. */
const isolation = "isolation";

/**
 * Renders the choice of what a request becomes, and where its plan works. A chosen mode that no longer exists counts as
 * Auto.
 */
export function modeMenu(
  { mode: chosen, isIsolated }: { readonly mode: string; readonly isIsolated: boolean },
  own: readonly ExpertChoice[],
  { choose, isolate }: { choose: (mode: string) => void; isolate: (isIsolated: boolean) => void },
): TemplateResult {
  const choices: readonly MenuChoice[] = [
    ...modes,
    ...own.map(({ slug, name, description }) => {
      return { value: slug, label: name, icon: "person", detail: description };
    }),
    {
      value: isolation,
      label: t("In a Worktree"),
      icon: "git-branch",
      detail: t("Works in a git worktree of its own. You land what it has changed"),
      isOn: isIsolated,
    },
  ];
  const selected = choices.find(({ value }) => value === chosen) ?? choices[0];
  return html`<rooroo-menu-button
    class="mode-menu"
    .label=${t("Mode")}
    .icon=${selected?.icon ?? "compass"}
    .shown=${isIsolated ? t("{0} in a worktree", selected?.label ?? "") : (selected?.label ?? "")}
    .keys=${"Ctrl+."}
    .choices=${choices}
    .value=${selected?.value ?? autoMode}
    @rooroo-choose=${({ detail }: CustomEvent<string>) => {
      if (detail === isolation) isolate(!isIsolated);
      else choose(detail);
    }}
  ></rooroo-menu-button>`;
}

const presets: Readonly<Record<ApprovalPreset, { label: string; detail: string; icon: string }>> = {
  ask: { label: t("Ask"), icon: "question", detail: t("Asks before everything, reading included") },
  safe: {
    label: t("Safe"),
    icon: "shield",
    detail: t("Reads the workspace without asking; asks before changes and other commands"),
  },
  sandbox: {
    label: t("Sandbox"),
    icon: "package",
    detail: t("Also changes project files and runs commands in a sandbox, without network"),
  },
  all: {
    label: t("All"),
    icon: "warning",
    detail: t(
      "Asks for nothing in the workspace, web requests included. Without a sandbox, a command can do whatever you can do: only for workspaces that you can afford to lose",
    ),
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
    const why = isMissing ? t("Does not work here: {0}", missing) : detail;
    return { value, label, icon, detail: why, ...(isMissing ? { isDisabled: true } : {}) };
  });
  const { label, icon } = presets[chosen];
  return html`<rooroo-menu-button
    class=${`approvals-menu ${chosen === "all" ? "is-risky" : ""}`}
    .label=${t("Approvals")}
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
