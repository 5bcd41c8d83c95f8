import type { SettingDefault, SettingValue } from "../../contributions/settings.js";
import { type DialectChoice, dialectChoices } from "../../core/agent/dialects/dialect.js";
import {
  type ApprovalPreset,
  approvalPresets,
  type Category,
  categories,
  type CategoryRule,
  categoryRules,
  type CategoryRules,
} from "../../core/approvals/approvalRules.js";
import { type ModelApi, modelApis } from "../../core/models/modelApi.js";
import type { Limit } from "../../core/spending/spendTotals.js";
import {
  flag,
  type OptionEntry,
  repeatable,
  text,
  type ValuesOf,
  wholeNumber,
} from "./optionEntry.js";
import { WrongUse } from "./wrongUse.js";

/** The parsed `--approve` option: what is allowed without asking. */
export interface Approve {
  readonly preset: ApprovalPreset;
  readonly categories: CategoryRules;
  /** The option's text as the user wrote it. */
  readonly text: string;
}

const sandbox: OptionEntry<SettingValue<"sandbox.enabled"> | undefined> = {
  flags: "--sandbox <use>",
  description:
    "sandbox for commands that run without approval: auto or off (default: $ROOROO_SANDBOX, or auto)",
  choices: ["auto", "off"],
  default: undefined,
};

const dialect: OptionEntry<DialectChoice> = {
  flags: "--dialect <name>",
  description: "how tools are described to the model",
  choices: dialectChoices,
  default: "auto",
};

const api: OptionEntry<ModelApi | undefined> = {
  flags: "--api <name>",
  description:
    "API that the server speaks: chat, responses or messages (default: as is known of its address)",
  choices: modelApis,
  default: undefined,
};

const startPlans: OptionEntry<SettingValue<"plans.start">> = {
  flags: "--plans <when>",
  description: "when a plan starts: auto, or wait until you run rooroo proceed",
  choices: ["auto", "wait"],
  default: "auto" satisfies SettingDefault<"plans.start">,
};

/** The options that every command takes. */
export const commonOptions = {
  workspace: text("--workspace <folder>", "workspace folder (default: the current folder)"),
  json: flag("--json", "print JSON: one object, or one event on each line and the outcome last"),
  approve: {
    flags: "--approve <rules>",
    description: "what experts may do without asking: ask, safe, sandbox or all",
    parse: parseApprove,
    default: parseApprove("safe" satisfies SettingDefault<"approvals.preset">),
    defaultText: "safe",
  },
  limitTask: limit(
    "--limit-task",
    "what a task may use before you are asked",
    { requests: 200 } satisfies SettingDefault<"limits.task">,
    "requests=200",
  ),
  limitDay: limit("--limit-day", "what a day may use before you are asked", {}, "none"),
  allowCommand: repeatable(
    "--allow-command <rule>",
    "command that runs without asking, such as “npm test”",
  ),
  denyCommand: repeatable("--deny-command <rule>", "command that never runs"),
  sandbox,
  allowHost: repeatable("--allow-host <name>", "host that sandboxed commands can reach"),
  model: text(
    "--model <name>",
    "name of the model, as listed by its server (default: $ROOROO_MODEL)",
  ),
  profile: text(
    "--profile <name>",
    "model profile of your own models.json; empty for none (default: $ROOROO_PROFILE, or the file's)",
  ),
  baseUrl: text(
    "--base-url <url>",
    "address of the model server (default: $OPENAI_BASE_URL or $ANTHROPIC_BASE_URL)",
  ),
  api,
  dialect,
  concurrency: wholeNumber(
    "--concurrency",
    "number of tasks of different plans that may run in parallel",
    64,
    1,
  ),
  plans: startPlans,
  isolated: flag(
    "--isolated",
    "plans that begin, and tasks of jobs, work in git worktrees of their own",
  ),
  setup: text(
    "--setup <command>",
    "command of yours that prepares each new worktree or checkout, such as “npm ci”",
  ),
  record: flag("--record", "write every exchange with the model to .rooroo/logs/recordings"),
  verbose: flag("--verbose", "show the output and changes of tools, and details of errors"),
};

export type Options = ValuesOf<typeof commonOptions>;

/** Parses `--approve`, as in `safe` or `all,web=ask,command=deny`. Throws {@link WrongUse} if invalid. */
export function parseApprove(given: string): Approve {
  const [first = "", ...others] = given.split(",").map((part) => part.trim());
  const rules: Partial<Record<Category, CategoryRule>> = {};
  for (const part of others) {
    const [, name, word] = /^(\w+)=(\w+)$/.exec(part) ?? [];
    const category = categories.find((one) => one === name);
    const rule = categoryRules.find((one) => one === word);
    if (category === undefined || rule === undefined) {
      throw new WrongUse(
        "notAnApprovalRule",
        "--approve takes rules like web=ask behind its preset, not {given}. Categories are {categories}; rules are {rules}.",
        {
          given: JSON.stringify(part),
          categories: categories.join(", "),
          rules: categoryRules.join(", "),
        },
      );
    }
    rules[category] = rule;
  }
  const preset = approvalPresets.find((one) => one === first);
  if (preset === undefined) {
    throw new WrongUse(
      "notAPreset",
      "--approve takes {presets}, not {given}. Rules for categories may follow, as in safe,web=deny.",
      { presets: approvalPresets.join(", "), given: JSON.stringify(first) },
    );
  }
  return { preset, categories: rules, text: given };
}

/** Returns an option for a limit of what may be used. */
export function limit(
  name: string,
  description: string,
  usual: Limit,
  defaultText: string,
): OptionEntry<Limit> {
  return {
    flags: `${name} <limits>`,
    description,
    parse: parseLimit,
    default: usual,
    defaultText,
  };
}

/** Parses a limit, as in `requests=200,tokens=1000000,cost=5` or `none`. Throws {@link WrongUse}. */
function parseLimit(given: string): Limit {
  if (given.trim() === "none") return {};
  const parsed: { requests?: number; tokens?: number; cost?: number } = {};
  for (const part of given.split(",")) {
    const [, kind, amount] = /^\s*(requests|tokens|cost)=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    const most = Number(amount);
    if (kind === undefined || most <= 0) {
      throw new WrongUse(
        "notALimit",
        "A limit is written like requests=200,tokens=1000000,cost=5 (in US dollars), or none, not {given}.",
        { given: JSON.stringify(given) },
      );
    }
    parsed[kind as keyof typeof parsed] = most;
  }
  return parsed;
}
