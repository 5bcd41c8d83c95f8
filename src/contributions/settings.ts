import type { DialectChoice } from "../core/agent/dialects/dialect.js";
import type { Prices } from "../core/agent/price.js";
import {
  approvalPresets,
  type CategoryRules,
  categoryRules,
  type ModeApprovals,
} from "../core/approvals/approvalRules.js";
import { type ModelProfile, modelValues, type ModeModel } from "../core/models/modelProfile.js";
import type { Limit } from "../core/spending/spendTotals.js";
import { choice, flag, line, orNull, own, schemaOf, type Setting, whole } from "./setting.js";
import { Text } from "./text.js";

/** A mode's own settings. Absent: the setting for all modes applies. */
export interface ModeSettings extends ModeModel {
  readonly turns?: number | undefined;
  readonly approvals?: ModeApprovals | undefined;
  /** The dialect in which the mode's model is told of tools. */
  readonly dialect?: DialectChoice | undefined;
}

/** The schema of a list of names. */
const names = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: 300 },
  uniqueItems: true,
};

const commandRules = { type: "array", items: { type: "string", minLength: 1 } };

const categoryRule = {
  type: "string",
  enum: categoryRules,
  enumDescriptions: [
    new Text("settings.rule.ask", "Always ask."),
    new Text("settings.rule.safe", "Allow what is safe, ask for everything else."),
    new Text(
      "settings.rule.sandbox",
      "Same as safe, but commands run in the sandbox without asking, and project files may be changed.",
    ),
    new Text("settings.rule.all", "Allow everything in the workspace."),
    new Text("settings.rule.deny", "Never allow. The expert is told that it is not allowed."),
  ],
};
const rulesOfCategories = {
  read: categoryRule,
  write: categoryRule,
  command: categoryRule,
  web: categoryRule,
  tool: categoryRule,
};

/** VS Code merges objects with their defaults, so only `null` can say that there is no limit. */
const amount = (description: Text) => ({
  type: ["number", "null"],
  exclusiveMinimum: 0,
  description,
});
const limit = {
  type: "object",
  additionalProperties: false,
  properties: {
    requests: amount(new Text("settings.limits.requests", "Number of requests to the model.")),
    tokens: amount(new Text("settings.limits.tokens", "Number of tokens, sent and received.")),
    cost: amount(
      new Text("settings.limits.cost", "Cost in US dollars, if the model's price is known."),
    ),
  },
};

const hookOfPlace = {
  command: {
    type: "string",
    minLength: 1,
    maxLength: 4000,
    markdownDescription: new Text(
      "settings.hooks.command",
      "The command line. It runs in the workspace folder, without your API keys, with `ROOROO_EVENT`, `ROOROO_TASK`, and for tools `ROOROO_TOOL` and `ROOROO_PATH`.",
    ),
  },
  timeoutSeconds: {
    type: "number",
    exclusiveMinimum: 0,
    maximum: 3600,
    markdownDescription: new Text(
      "settings.hooks.timeoutSeconds",
      "Seconds after which it is ended. Default: 60.",
    ),
  },
  outside: {
    type: "boolean",
    markdownDescription: new Text(
      "settings.hooks.outside",
      "Whether it runs outside of the sandbox, as any program of yours does.",
    ),
  },
};
const hookOfTools = {
  tools: {
    type: "array",
    maxItems: 100,
    items: { type: "string", minLength: 1, maxLength: 100 },
    markdownDescription: new Text(
      "settings.hooks.tools",
      "The tools that it is for: names such as `edit_file`, or what they do: `read`, `write`, `command`, `web`, `tool`, `none`. Default: all.",
    ),
  },
  ...hookOfPlace,
};
const hooks = (markdownDescription: Text, properties: object) => ({
  type: "array",
  maxItems: 20,
  markdownDescription,
  items: { type: "object", additionalProperties: false, required: ["command"], properties },
});

/** The settings about models. */
const model = {
  "model.baseUrl": own<string>({
    schema: { type: "string" },
    order: 1,
    scope: "application",
    text: "Base URL of a model server, for example `https://api.openai.com/v1` or `http://localhost:11434/v1`. If empty, the environment variable `OPENAI_BASE_URL` (for the API `messages`: `ANTHROPIC_BASE_URL`) is used, otherwise the server of the API's own maker. The server's API key is sent to this address, so this setting cannot be set by a workspace.",
    default: "",
  }),
  "model.api": choice({
    order: 1,
    scope: "application",
    text: "The API by which the server is asked.",
    default: "auto",
    values: {
      auto: "As is known of the address: Messages for Anthropic's server, Chat Completions for all others.",
      chat: "OpenAI's Chat Completions, which most servers speak.",
      responses:
        "OpenAI's Responses: the model's reasoning is kept between its calls. Nothing is stored at the server.",
      messages: "Anthropic's Messages, with its prompt cache and thinking.",
    },
  }),
  "model.name": own<string>({
    schema: schemaOf(modelValues.name),
    order: 2,
    scope: "application",
    text: "Name of the model, as listed by the server, or `vscode:VENDOR/ID` for a model that VS Code provides. If empty, the environment variable `ROOROO_MODEL` is used. If no server and no API key are set either, the first model that VS Code provides is used. See [Select Model](command:rooroo.selectModel).",
    default: "",
  }),
  "model.profile": own<string>({
    schema: schemaOf(modelValues.profile),
    order: 2,
    scope: "application",
    text: "Name of the profile in `#rooroo.model.profiles#` that is used for requests. If empty, the other settings for models apply. See [Switch Model Profile](command:rooroo.switchProfile). This setting cannot be set by a workspace.",
    default: "",
  }),
  "model.profiles": own<Readonly<Record<string, ModelProfile | undefined>>>({
    order: 2,
    scope: "application",
    text: 'Named models, each with its server and parameters, to switch between: `{ "local": { "baseUrl": "http://localhost:11434/v1", "model": "qwen3:8b" } }`. What a profile leaves out is decided by the server, not by the other settings for models. Each server has an API key of its own: [Set API Key](command:rooroo.setApiKey). This setting cannot be set by a workspace.',
    default: {},
    schema: {
      type: "object",
      propertyNames: { minLength: 1, maxLength: 100 },
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["model"],
        defaultSnippets: [{ body: { baseUrl: "$1", model: "$2" } }],
        properties: {
          model: {
            ...schemaOf(
              modelValues.name,
              new Text(
                "settings.profiles.model",
                "Name of the model, as listed by the server, or `vscode:VENDOR/ID` for a model that VS Code provides.",
              ),
            ),
            minLength: 1,
          },
          baseUrl: {
            type: "string",
            pattern: String.raw`^\s*([Hh][Tt][Tt][Pp][Ss]?://[^\s/?#].*)?$`,
            markdownDescription: new Text(
              "settings.profiles.baseUrl",
              "Base URL of the server. If omitted, that of the API's own maker.",
            ),
          },
          api: schemaOf(
            modelValues.api,
            new Text(
              "settings.profiles.api",
              "The API that the server speaks. If omitted, as is known of its address.",
            ),
          ),
          keyVariable: {
            type: "string",
            pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
            markdownDescription: new Text(
              "settings.profiles.keyVariable",
              "The environment variable that has the server's API key, if none is stored. If omitted, `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, but only for the server of that maker.",
            ),
          },
          temperature: schemaOf(
            modelValues.temperature,
            new Text("settings.profiles.temperature", "Sampling temperature, from 0 to 2."),
          ),
          maxOutputTokens: schemaOf(
            modelValues.maxOutputTokens,
            new Text(
              "settings.profiles.maxOutputTokens",
              "Maximum number of tokens that the model may write in one response.",
            ),
          ),
          contextTokens: schemaOf(
            modelValues.contextTokens,
            new Text(
              "settings.profiles.contextTokens",
              "Size of the model's context window in tokens. If omitted, the size that the server reports.",
            ),
          ),
          images: schemaOf(
            modelValues.images,
            new Text(
              "settings.profiles.images",
              "Whether the model sees the images that you attach. `auto` goes by the model's name and by what its server says.",
            ),
          ),
          reasoningEffort: schemaOf(
            modelValues.reasoningEffort,
            new Text(
              "settings.profiles.reasoningEffort",
              "How much the model thinks before it answers.",
            ),
          ),
          dialect: schemaOf(
            modelValues.dialect,
            new Text(
              "settings.profiles.dialect",
              "How tools are described to the model, and how it calls them.",
            ),
          ),
        },
      },
    },
  }),
  "model.temperature": own<number | null>({
    schema: orNull(schemaOf(modelValues.temperature)),
    order: 3,
    scope: "window",
    text: "Sampling temperature, from 0 to 2. `null` uses the server's default, which is the only value that some models accept.",
    default: null,
  }),
  "model.maxOutputTokens": own<number | null>({
    schema: orNull(schemaOf(modelValues.maxOutputTokens)),
    order: 4,
    scope: "window",
    text: "Maximum number of tokens that the model may write in one response. `null` uses the server's default.",
    default: null,
  }),
  "model.images": own<NonNullable<ModelProfile["images"]>>({
    schema: schemaOf(modelValues.images),
    order: 4,
    scope: "window",
    text: "Whether the model sees the images that you attach. `auto` goes by the model's name and by what its server says; a model that does not see is told that there was an image.",
    default: "auto",
  }),
  "model.reasoningEffort": own<NonNullable<ModelProfile["reasoningEffort"]> | null>({
    schema: orNull(schemaOf(modelValues.reasoningEffort)),
    order: 4,
    scope: "window",
    text: "How much a reasoning model thinks before it answers. `null` uses the model's default. Models that reject this parameter are called without it.",
    default: null,
  }),
  "model.dialect": choice({
    order: 5,
    scope: "window",
    text: "How tools are described to models, and how models call them.",
    default: "auto",
    values: {
      auto: "Use the server's tool calling, and switch to envelopes if a model turns out not to support it.",
      native: "Always use the server's tool calling.",
      envelope:
        "Use envelopes (plain JSON), for models without tool calling or with unreliable tool calling.",
    },
  }),
  "model.prices": own<Prices>({
    order: 6,
    scope: "window",
    text: 'Prices of models in US dollars per million tokens, by model name or by the beginning of several names: `{ "my-model": { "input": 1, "cachedInput": 0.1, "output": 4 } }`. Prices of some OpenAI models are built in, as of November 2026. No cost is shown for models without a known price.',
    default: {},
    schema: {
      type: "object",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["input", "output"],
        properties: {
          input: { type: "number", minimum: 0 },
          cachedInput: { type: "number", minimum: 0 },
          output: { type: "number", minimum: 0 },
        },
      },
    },
  }),
  modes: own<Readonly<Record<string, ModeSettings>>>({
    order: 7,
    scope: "application",
    text: 'Settings for single modes, by slug. For example, `{ "rooroo-planner": { "model": "o3" } }` lets the planner use another model of the same server. This setting cannot be set by a workspace.',
    default: {},
    schema: {
      type: "object",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          profile: schemaOf(
            modelValues.profile,
            new Text(
              "settings.modes.profile",
              "Name of the profile in `#rooroo.model.profiles#` that this mode uses, whichever is used for requests otherwise.",
            ),
          ),
          model: schemaOf(
            modelValues.name,
            new Text(
              "settings.modes.model",
              "Name of the model, as listed by the mode's server. If empty, the model for all modes, or that of the mode's profile, is used.",
            ),
          ),
          temperature: schemaOf(
            modelValues.temperature,
            new Text("settings.modes.temperature", "Sampling temperature for this mode."),
          ),
          reasoningEffort: schemaOf(
            modelValues.reasoningEffort,
            new Text(
              "settings.modes.reasoningEffort",
              "How much a reasoning model thinks in this mode.",
            ),
          ),
          turns: {
            type: "integer",
            minimum: 1,
            maximum: 1000,
            markdownDescription: new Text(
              "settings.modes.turns",
              "Maximum number of model calls before a task of this mode pauses.",
            ),
          },
          approvals: {
            type: "object",
            additionalProperties: false,
            markdownDescription: new Text(
              "settings.modes.approvals",
              'What this mode may do without asking: a `preset`, and rules for single categories, for example `{ "command": "deny" }`.',
            ),
            properties: { preset: { type: "string", enum: approvalPresets }, ...rulesOfCategories },
          },
          dialect: schemaOf(
            modelValues.dialect,
            new Text(
              "settings.modes.dialect",
              "How tools are described to this mode's model. If omitted, `#rooroo.model.dialect#` applies.",
            ),
          ),
        },
      },
    },
  }),
  "model.contextTokens": own<number | null>({
    schema: orNull(schemaOf(modelValues.contextTokens)),
    order: 6,
    scope: "window",
    text: "Size of the model's context window in tokens. The older part of a task's conversation is summarized before the window is full. `null` uses the size that the server reports.",
    default: null,
  }),
};

/** The settings about work. */
const work = {
  "approvals.preset": choice({
    order: 1,
    scope: "application",
    text: "What experts may do without asking. Access outside the workspace, and to files that control tools (such as `.git`, `.vscode` and `.rooroo`), always requires approval. This setting cannot be set by a workspace. [Manage Approvals](command:rooroo.manageApprovals) shows the permissions that you have granted permanently.",
    default: "safe",
    values: {
      ask: ["Ask", "Everything requires approval, including reading files."],
      safe: [
        "Safe",
        "Reading the workspace, commands that only read, and an expert's notes in the folder of its own task run without asking. Everything else requires approval.",
      ],
      sandbox: [
        "Sandbox",
        "Same as Safe, but all commands also run without asking, in a sandbox: without network access, with secrets hidden, and without lasting changes outside the workspace or in protected files. Commands can change project files, which you can review and undo. **Recommended where available**; elsewhere it is the same as Safe. [Check This Machine](command:rooroo.checkMachine)",
      ],
      all: [
        "All",
        "Everything in the workspace runs without asking, including requests to the internet. **Use this only for workspaces that you can afford to lose**: without a sandbox, a command can do whatever you can do.",
      ],
    },
  }),
  "commands.allow": own<readonly string[]>({
    schema: commandRules,
    order: 1,
    scope: "application",
    text: "Commands that run without asking, by their first words: `npm test` matches every command that begins with these two words; in `git commit -m *`, the `*` matches any single word. Words are compared after the shell's quotes are resolved. Commands that also write to a file with `>`, set variables or run other commands in `$(…)` still require approval, and a command line runs without asking only if each of its commands may. This setting cannot be set by a workspace.",
    default: [],
  }),
  "commands.deny": own<readonly string[]>({
    schema: commandRules,
    order: 1,
    scope: "application",
    text: "Commands that never run, even if other settings allow them. A rule matches commands that contain its words in this order, with anything in between: `git push --force` also matches `git push origin main --force`. Rules match only the words of the command line, not what scripts and programs do. This setting cannot be set by a workspace.",
    default: [],
  }),
  hooks: own<unknown>({
    order: 6,
    scope: "application",
    text: 'Your own commands before and after what happens: `{ "afterTool": [{ "tools": ["write"], "command": "npx prettier --write \\"$ROOROO_PATH\\"" }] }`. A hook gets the event as JSON on its standard input. Exit code 0 goes on, 2 refuses with standard error as the reason; any other is told to you, and the work goes on. See `docs/hooks.md`. This setting cannot be set by a workspace.',
    default: {},
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {
        beforeTool: hooks(
          new Text(
            "settings.hooks.beforeTool",
            "Before a call of a tool that is permitted. Exit code 2: it does not run.",
          ),
          hookOfTools,
        ),
        afterTool: hooks(
          new Text(
            "settings.hooks.afterTool",
            "After a call of a tool. Exit code 2: the expert reads standard error.",
          ),
          hookOfTools,
        ),
        beforeTask: hooks(
          new Text(
            "settings.hooks.beforeTask",
            "Before an expert begins its work. Exit code 2: it does not begin.",
          ),
          hookOfPlace,
        ),
        afterTask: hooks(
          new Text(
            "settings.hooks.afterTask",
            "When an expert submits its work. Exit code 2: it is not accepted, and the expert goes on.",
          ),
          hookOfPlace,
        ),
        afterPlan: hooks(
          new Text("settings.hooks.afterPlan", "When the last task of a plan is done."),
          hookOfPlace,
        ),
      },
    },
  }),
  "sandbox.enabled": choice({
    order: 1,
    scope: "application",
    text: "Whether commands that run without approval run in a sandbox. This setting cannot be set by a workspace.",
    default: "auto",
    values: {
      auto: "Use a sandbox if one is available on this machine.",
      off: "Do not use a sandbox. The Sandbox preset is then the same as Safe.",
    },
  }),
  "sandbox.allowedHosts": own<readonly string[]>({
    order: 1,
    scope: "application",
    text: "Hosts that sandboxed commands can reach with the Sandbox preset, for example `registry.example`, or `*.example.org` for all of its subdomains. A command can send anything that it can read to these hosts. This setting cannot be set by a workspace.",
    default: [],
    schema: {
      type: "array",
      items: {
        type: "string",
        pattern: String.raw`^(\*\.)?([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`,
      },
      uniqueItems: true,
    },
  }),
  "approvals.categories": own<CategoryRules>({
    order: 2,
    scope: "application",
    text: 'Rules for single categories, which override the preset: `{ "web": "ask", "command": "deny" }`. The categories are `read`, `write`, `command`, `web` and `tool` (tools that do not belong to Rooroo). This setting cannot be set by a workspace.',
    default: {},
    schema: { type: "object", additionalProperties: false, properties: rulesOfCategories },
  }),
  "limits.task": own<Limit, { readonly requests: 200 }>({
    schema: limit,
    order: 3,
    scope: "application",
    text: 'How much a task may use of its model before you are asked whether it may use as much again: `requests`, `tokens` (sent and received) and `cost` (in US dollars, if the model\'s price is known). `{ "requests": null }` removes the limit. This setting cannot be set by a workspace.',
    default: { requests: 200 },
  }),
  "limits.day": own<Limit>({
    schema: limit,
    order: 4,
    scope: "application",
    text: 'How much all tasks in all windows may use per day before you are asked whether they may use as much again, for example `{ "cost": 10 }`. This setting cannot be set by a workspace.',
    default: {},
  }),
  "limits.job": own<Limit>({
    schema: limit,
    order: 4,
    scope: "application",
    text: 'How much a job may use of its model in all its runs, for example `{ "cost": 10 }`: beyond it, no new unit of work begins. `{}`: no limit. This setting cannot be set by a workspace.',
    default: {},
  }),
  "limits.turns": whole({
    minimum: 1,
    maximum: 1000,
    order: 5,
    scope: "window",
    text: "Maximum number of model calls before an expert's task pauses. A paused task can be resumed.",
    default: 60,
  }),
  "queue.concurrency": whole({
    minimum: 1,
    maximum: 8,
    order: 7,
    scope: "window",
    text: "Maximum number of tasks that run in parallel. Tasks of one plan still run in order, and two tasks never write to the same file at the same time.",
    default: 1,
  }),
  "plans.start": choice({
    order: 8,
    scope: "window",
    text: "Whether a plan starts by itself once it is made. A plan that you request in Plan mode always waits.",
    default: "auto",
    values: {
      auto: "Start each plan by itself.",
      wait: "Show each plan, and start it when you select Start.",
    },
  }),
  "plans.isolation": choice({
    order: 8,
    scope: "window",
    text: "Where a plan that begins works. The mode menu of the input chooses it for single requests. A task without a plan counts as a plan of one.",
    default: "none",
    values: {
      none: "In your folder.",
      worktree:
        "In a git worktree of its own, until you land it. A job's task lands by itself when it is done.",
    },
  }),
  "plans.worktreeSetup": line({
    maxLength: 4096,
    order: 8,
    scope: "application",
    text: "Command that prepares a new worktree before the plan's first task, as in `npm ci`. It runs in the sandbox where there is one, with the network that `#rooroo.sandbox.allowedHosts#` allows. If it fails, the plan does not begin.",
    default: "",
  }),
  "plans.documenter": flag({
    order: 8,
    scope: "window",
    text: "Whether planners may give tasks to the documenter, an expert that writes documents and changes no code.",
    default: false,
  }),
  "team.repository": line({
    maxLength: 40,
    also: { pattern: "^([a-z0-9][a-z0-9-]*)?$" },
    order: 8,
    scope: "window",
    text: "Name that the workers of your team have for this repository, in small letters, digits and `-`. Needed to send plans to other machines.",
    default: "",
  }),
  "team.remote": line({
    minLength: 1,
    maxLength: 200,
    order: 8,
    scope: "window",
    text: "Name of the git remote by which files and transcripts of sent plans travel.",
    default: "origin",
  }),
  "team.labels": own<readonly string[]>({
    order: 8,
    scope: "window",
    text: "Labels that a worker must have to get the tasks of plans that you send, as in `gpu`.",
    default: [],
    schema: { type: "array", items: { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,39}$" } },
  }),
  "jobs.runners": whole({
    minimum: 1,
    maximum: 8,
    order: 8,
    scope: "window",
    text: "Default number of runners that work on a job in parallel, each on a task of its own.",
    default: 1,
  }),
  "jobs.maxTurns": whole({
    minimum: 1,
    maximum: 1000,
    order: 8,
    scope: "window",
    text: "Maximum number of model calls that a job's runner may make for one task. The task then waits for the next runner, with a note about its progress.",
    default: 60,
  }),
  "runs.directory": line({
    maxLength: 4096,
    order: 8,
    scope: "window",
    text: "Folder of the runs with their `assets` and `guidelines`, for example `docs/runs`; `.` is the workspace folder. If empty, the workspace folder is used if it contains `db/process_runs.md`, otherwise `multiverse`.",
    default: "",
  }),
  "tools.vscode": own<readonly string[]>({
    schema: names,
    order: 10,
    scope: "application",
    text: "Names of VS Code tools, including those of MCP servers, that experts may use. Every call requires approval. See [Select VS Code Tools](command:rooroo.selectTools). This setting cannot be set by a workspace.",
    default: [],
  }),
  "web.search.provider": choice({
    order: 11,
    scope: "application",
    text: "Service that experts may search the web with. Every search requires approval. Tavily and Brave require an API key: [Set Web Search Key](command:rooroo.setWebSearchKey). This setting cannot be set by a workspace.",
    default: "none",
    values: ["none", "tavily", "brave", "searxng"],
    also: { enumItemLabels: ["None", "Tavily", "Brave", "SearXNG"] },
  }),
  "web.search.address": own<string>({
    schema: { type: "string" },
    order: 12,
    scope: "application",
    text: "Address of the search service, for example `https://searx.example.org` for SearXNG. If empty, the default address of Tavily or Brave is used. The server's API key is sent to this address, so this setting cannot be set by a workspace.",
    default: "",
  }),
  "web.privateHosts": own<readonly string[]>({
    schema: names,
    order: 13,
    scope: "application",
    text: "Hosts on your machine or network that experts may fetch from after approval, for example `localhost:3000` or `intranet.example`. Other private addresses are rejected. This setting cannot be set by a workspace.",
    default: [],
  }),
  "commands.runIn": choice({
    order: 20,
    scope: "application",
    text: "Where commands of experts run. This setting cannot be set by a workspace.",
    default: "process",
    values: {
      process: "As background processes. The output is shown in the conversation.",
      terminal:
        "In VS Code terminals that you can type into. Each command has a terminal of its own, which closes when the command ends. This requires shell integration. Your shell's startup files are loaded and can affect what a command finds. Commands with several lines, or with `!`, always run as background processes.",
    },
  }),
  "notifications.show": choice({
    order: 20,
    scope: "application",
    text: "What Rooroo notifies you of while you look elsewhere: when the window is not in front, or the Navigator view is not visible. Each thing is told once.",
    default: "all",
    values: {
      all: ["All", "Everything that needs you, and the end of requests, jobs and runs."],
      needsYou: ["Needs You", "Only approvals, questions and proposals."],
      none: ["None", "Nothing. The status bar and the badge show what needs you."],
    },
  }),
  "debug.record": flag({
    order: 90,
    scope: "application",
    text: "Write every exchange with a model to `.rooroo/logs/recordings`, as files that can be replayed in a test. Text that looks like a key or a password is removed. Check the files before you share them.",
    default: false,
  }),
};

const all = { ...model, ...work } satisfies Readonly<Record<string, Setting<unknown>>>;
type All = typeof all;

/** The groups of settings, as VS Code's editor of settings shows them. */
export const settingGroups: readonly {
  readonly title: Text;
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
}[] = [
  { title: new Text("settings.model", "Model"), settings: model },
  { title: new Text("settings.work", "Work"), settings: work },
];

/** The name of a setting, without `rooroo.` at its beginning. */
export type SettingName = keyof All;
/** The type of a setting's value. */
export type SettingValue<K extends SettingName> = NonNullable<All[K]["is"]>[1];
/** A setting's default, as a literal. */
export type SettingDefault<K extends SettingName> = All[K]["about"]["default"];
/** The settings whose JSON Schema does not say all about their values. */
export type OwnSetting = {
  [K in SettingName]: NonNullable<All[K]["is"]>[0] extends "own" ? K : never;
}[SettingName];
