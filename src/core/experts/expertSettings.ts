import type { DialectChoice } from "../agent/dialects/dialect.js";
import type { AgentLimits } from "../agent/loop.js";
import type { Prices } from "../agent/price.js";
import type { ApprovalPreset, CategoryRules, ModeApprovals } from "../approvals/approvalRules.js";
import type { CommandRules } from "../commands/commandRules.js";
import type { SpendLimits } from "../spending/spending.js";

/** Settings of one mode. Absent fields are as for all modes. */
interface OwnSettings {
  readonly approvals?: ModeApprovals | undefined;
  readonly turns?: number | undefined;
}

/** The user's settings for the sandbox in which commands run without approval. */
export interface SandboxSettings {
  /** `auto`: the sandbox is used where the machine has one. */
  readonly enabled: "auto" | "off";
  /** Hosts that commands can reach from the sandbox, as in `registry.example` or `*.example`. */
  readonly allowedHosts: readonly string[];
}

export interface ExpertSettings {
  readonly preset: ApprovalPreset;
  /** The user's rules for commands. Default: none. */
  readonly commands?: CommandRules;
  readonly categories?: CategoryRules;
  /** Default: `auto` and no hosts. */
  readonly sandbox?: SandboxSettings;
  /** The settings in which a mode differs, by its slug. */
  readonly modes?: Readonly<Record<string, OwnSettings>>;
  /** The number of tasks that may run at a time. Default: 1. */
  readonly concurrency?: number;
  /** Whether a plan starts by itself, or waits until the user starts it. Default: `auto`. */
  readonly startPlans?: "auto" | "wait";
  /** Where a plan that begins works: in the user's folder, or in a git worktree of its own. Default: `none`, their folder. */
  readonly isolation?: "none" | "worktree";
  /** The user's own command that prepares a new worktree, as in `npm ci`. Default: none. */
  readonly worktreeSetup?: string;
  /** Whether planners may give tasks to the documenter. */
  readonly documenter?: boolean;
  /** The user's own prices; see `priceOf`. */
  readonly prices?: Prices;
  /** Returns how a mode's model is told of tools. Default: `auto`. */
  dialectFor?(slug: string): DialectChoice;
  readonly limits: AgentLimits;
  /** The user's own hooks, as they are written: see `readHooks`. */
  readonly hooks?: unknown;
  /** Whether every exchange with a model is recorded. */
  readonly record?: boolean;
  /** The most that a task or a day may use before the user is asked. Default: no limit. */
  readonly spend?: SpendLimits;
  /** Returns the size of the context window of a mode's model in tokens, where the user sets it. */
  contextTokensFor?(slug: string): number | undefined;
}
