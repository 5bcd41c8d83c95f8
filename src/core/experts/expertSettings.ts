import type { DialectChoice } from "../agent/dialects/dialect.js";
import type { AgentLimits } from "../agent/loop.js";
import type { Prices } from "../agent/price.js";
import type { ApprovalPreset, CategoryRules, ModeApprovals } from "../approvals/approvalRules.js";
import type { CommandRules } from "../commands/commandRules.js";
import type { SpendLimits } from "../spending/spending.js";

/** What is absent is as it is for all. */
interface OwnSettings {
  readonly approvals?: ModeApprovals | undefined;
  readonly turns?: number | undefined;
  readonly failuresInARow?: number | undefined;
}

/** The person's settings for the sandbox in which commands run unasked. */
export interface SandboxSettings {
  /** `auto`: it is used where the machine has one. */
  readonly enabled: "auto" | "off";
  /** Hosts that commands can reach from it, as in `registry.example` or `*.example`. */
  readonly allowedHosts: readonly string[];
}

export interface ExpertSettings {
  readonly preset: ApprovalPreset;
  /** What the person has said of commands; nothing where it is left out. */
  readonly commands?: CommandRules;
  readonly categories?: CategoryRules;
  /** `auto` and no hosts where it is left out. */
  readonly sandbox?: SandboxSettings;
  /** What is different for a mode, by its slug. */
  readonly modes?: Readonly<Record<string, OwnSettings>>;
  /** Tasks that may run at a time; 1 where it is left out. */
  readonly concurrency?: number;
  /** Planners may give tasks to the documenter. */
  readonly documenter?: boolean;
  /** The person's own; see `priceOf`. */
  readonly prices?: Prices;
  /** How a mode's model is told of tools; `auto` where it is left out. */
  dialectFor?(slug: string): DialectChoice;
  readonly limits: AgentLimits;
  /** Every exchange with a model is written down. */
  readonly record?: boolean;
  /** What tasks and days may use before a person is asked; no limit where it is left out. */
  readonly spend?: SpendLimits;
  /** Of the model's window, where the person says so. */
  readonly contextTokens?: number | null;
}
