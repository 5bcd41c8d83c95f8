import { type DialectChoice, dialectChoices } from "../core/agent/dialects/dialect.js";
import {
  type ApprovalPreset,
  approvalPresets,
  type Category,
  categories,
  type CategoryRule,
  categoryRules,
  type CategoryRules,
} from "../core/approvals/approvalRules.js";
import type { Limit } from "../core/spending/spendTotals.js";
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

const sandbox: OptionEntry<"auto" | "off" | undefined> = {
  flags: "--sandbox <use>",
  description: "for commands that nobody was asked about (default: $ROOROO_SANDBOX, or auto)",
  choices: ["auto", "off"],
  default: undefined,
};

const dialect: OptionEntry<DialectChoice> = {
  flags: "--dialect <name>",
  description: "how the model is told of tools",
  choices: dialectChoices,
  default: "auto",
};

/** The options that every command takes. */
export const commonOptions = {
  workspace: text("--workspace <folder>", "the folder to work in (default: the current one)"),
  json: flag("--json", "print JSON: one object, or one event a line and the outcome last"),
  approve: {
    flags: "--approve <rules>",
    description: "what experts may do unasked: ask, safe, sandbox or all",
    parse: parseApprove,
    default: parseApprove("safe"),
    defaultText: "safe",
  },
  limitTask: limit("--limit-task", "a task", { requests: 200 }, "requests=200"),
  limitDay: limit("--limit-day", "a day", {}, "none"),
  allowCommand: repeatable("--allow-command <rule>", "a command that runs unasked, as “npm test”"),
  denyCommand: repeatable("--deny-command <rule>", "a command that never runs"),
  sandbox,
  allowHost: repeatable("--allow-host <name>", "a host to be reached from the sandbox"),
  model: text("--model <name>", "the model, as its server names it (default: $ROOROO_MODEL)"),
  baseUrl: text("--base-url <url>", "an OpenAI-compatible server (default: $OPENAI_BASE_URL)"),
  dialect,
  concurrency: wholeNumber(
    "--concurrency",
    "tasks of different plans that may run at a time",
    64,
    1,
  ),
  record: flag("--record", "write every exchange with the model to .rooroo/logs/recordings"),
  verbose: flag("--verbose", "show what tools print and change, and the details of errors"),
};

export type Options = ValuesOf<typeof commonOptions>;

/** What the help says of the common options. */
export const optionsExplained = `
What --approve allows unasked:
  ask      nothing
  safe     reading the workspace, commands that only read, an expert's files of its own task
  sandbox  as safe; every command in a sandbox without network, changes of project files
  all      everything inside the workspace, but for protected files
Commands that run unasked run in a sandbox where the machine has one (rooroo doctor says so).
Rules for read, write, command, web and tool may follow: --approve all,web=ask,command=deny
Limits are written like requests=200,tokens=1000000,cost=5 (in US dollars).
What is not allowed is asked on the terminal: for this call, this task, this session, or always
(rooroo approvals list). Where there is no terminal, the task waits.

The model comes from the command line and the environment (OPENAI_BASE_URL, OPENAI_API_KEY,
ROOROO_MODEL), never from the workspace, but that a job file may name another of the same server. So
does what experts may ask of the web:
  ROOROO_SEARCH_PROVIDER, ROOROO_SEARCH_KEY, ROOROO_SEARCH_ADDRESS
                           a search service: tavily, brave or searxng
  ROOROO_CONTEXT_TOKENS    the most tokens that the model takes in (default: as its server says)
  ROOROO_SANDBOX           off: commands do not run in the sandbox, as with --sandbox off
  ROOROO_PRIVATE_HOSTS     hosts of your own network to fetch from, as localhost:3000,intranet`;

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

function limit(name: string, of: string, usual: Limit, defaultText: string): OptionEntry<Limit> {
  return {
    flags: `${name} <limits>`,
    description: `what ${of} may use before you are asked`,
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
