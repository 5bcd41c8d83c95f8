import type { NamedFolders } from "../access/namedFolders.js";
import { type CallServices, runCall } from "../agent/calls/settleCalls.js";
import { AskedCompactions } from "../agent/context/askedCompactions.js";
import type { Dialect, DialectName } from "../agent/dialects/dialect.js";
import type { AgentEvent } from "../agent/events.js";
import { type Agent, type AgentEnd, type AgentLimits, runAgent } from "../agent/loop.js";
import { TaskCommands } from "../agent/taskCommands.js";
import type { AnyTool } from "../agent/tool.js";
import type { Transcript } from "../agent/transcript.js";
import type { Policy } from "../approvals/policy.js";
import type { TaskId } from "../ids.js";
import type { LanguageModel } from "../ports/model.js";
import type { Ids } from "../ports/system.js";
import { spendingOf } from "../spending/spendTotals.js";
import { type Drafted, type Said, words } from "../text/words.js";
import { askToSpend } from "./askToSpend.js";
import { authorise, whyNeverWritten } from "./authorise.js";
import type { Ending, RunCommand } from "./ending.js";
import { expertDialects } from "./expertDialects.js";
import type { ExpertServices } from "./expertServices.js";
import type { ExpertSettings } from "./expertSettings.js";
import { HookRunner } from "./hookRunner.js";
import type { Mode } from "./mode.js";
import { policyOf } from "./sandboxUse.js";
import { toolsOf } from "./toolbox.js";
import { HostView } from "./workspaceHost.js";

export interface Activation {
  readonly taskId: TaskId;
  /** The task's folder, as in `.rooroo/tasks/ID`. */
  readonly folder: string;
  readonly mode: Mode;
  /** The goal that the user or the plan set. */
  readonly goal: string;
  readonly transcript: Transcript;
  readonly ending: Ending;
  /**
   * Called with the name of a model that turns out to have no tool calling, or called none in this task, which continues
   * without tools.
   */
  readonly onWithoutTools: (model: string, why: "refused" | "calledNone") => void;
  /** Called with each problem of other programs' tools, for the user. */
  readonly onProblem: (text: Said) => void;
  /** Called with the reason when submitted work is rejected. */
  readonly onReportRejected: (problem: string) => void;
  /** Returns whether the artefacts of another task are changed as project files are. Absent: of none. */
  readonly isMate?: (taskId: TaskId) => Promise<boolean>;
  /** The folders of the work in which a person can confirm reading and writing. Absent: it has none. */
  readonly folders?: NamedFolders;
}

/** Runs the agent loop for a session, with the mode's tools and approvals, until the agent ends or must wait. */
export async function activate(
  task: Activation,
  services: ExpertServices,
  onEvent: (event: Drafted<AgentEvent>) => void,
  signal: AbortSignal,
): Promise<AgentEnd> {
  const { mode, folder, transcript } = task;
  const { host, clock, ids, approver } = services;
  const runsCommands = mode.tools.some((name) => commandTools.has(name));
  const sandbox = runsCommands ? await services.sandboxUse.of(mode.slug) : undefined;
  if (mode.hostTools === true) {
    for (const problem of (await services.hostTools?.ready?.()) ?? []) task.onProblem(problem);
  }
  const tools = toolsOf(mode, { ...services, ...host }, task.ending.tool, sandbox !== undefined);
  const settings = () => services.settings();
  const view = new HostView(host, {
    mode,
    folder,
    sandbox,
    state: services,
    settings,
    acceptsGit: (repository, bound) => services.permissions.acceptsGit(repository, bound),
  });
  await view.settleLeft();
  const { seen } = transcript;
  const hooks = new HookRunner({ ...task, seen }, services, task.onProblem, view);
  const commands = new TaskCommands(services.commandStops);
  const callServices: CallServices = {
    clock,
    onEvent,
    hooks,
    context: callContext(task, services, { view, commands, onEvent }),
    authorise: async (callId, asked, callSignal) => {
      const policy = await policyNow(mode, sandbox !== undefined, services);
      return authorise(callId, asked, { ...services, task, policy, onEvent }, callSignal);
    },
  };
  const run = commandRunner(mode, tools, callServices, ids, signal);
  const accept = async (args: unknown) =>
    (await task.ending.accept(args, run)) ?? (await hooks.afterTask(args, signal));
  const model = services.modelFor?.(mode.slug) ?? services.model;
  const dialects = expertDialects(task, { ...services, files: view.files }, { tools, accept });
  try {
    // Before the first reply there is nothing that could have begun.
    if (transcript.usage.calls === 0) await hooks.beforeTask(signal);
  } catch (error) {
    if (signal.aborted) return { type: "stopped" };
    throw error;
  }
  try {
    return await runAgent(
      {
        transcript,
        model,
        ...chooseDialect(task, model, dialects, services),
        calls: {
          ...callServices,
          rejected: task.onReportRejected,
          redact: (text) => services.redactor.text(text),
          accept,
        },
        limits: limitsOf(mode.slug, services.settings()),
        mayAsk: async () => {
          const limit = await services.spending.reached(task.taskId, spendingOf(transcript.usage));
          if (limit === undefined) return undefined;
          return askToSpend(limit, { taskId: task.taskId, ids, approver, onEvent }, signal);
        },
        inbox: services.messages.inbox(task.taskId),
        asked: new AskedCompactions(services).of(task.taskId),
        context: contextFor(task, services, model),
        newMessageId: () => `m-${ids.hex(12)}`,
        onEvent,
      },
      signal,
    );
  } finally {
    await commands.endAll();
  }
}

/** Returns what is known of the model's context window, and who is told when it looks wrong. */
function contextFor(
  task: Activation,
  services: ExpertServices,
  model: LanguageModel,
): Agent["context"] {
  return {
    limit: services.settings().contextTokensFor?.(task.mode.slug),
    observedWindows: services.windows,
    observedFactors: services.tokenFactors,
    onDoubtedCount: ({ counted, guess }) => {
      // A server's own model has its name only after the first call.
      const said = { model: model.name, counted, guess };
      task.onProblem(
        counted > guess
          ? words(
              "The server of {model} counts {counted, number} tokens in a request that has about {guess, number}. That cannot be, so the estimate is used.",
              said,
            )
          : words(
              "The server of {model} counts {counted, number} tokens in a request that has about {guess, number}. That cannot be, so the estimate is used. It may count only what its cache did not have, or have cut the beginning off: check the size of its context window.",
              said,
            ),
      );
    },
    onSmallWindow: ({ fixed, limit }) => {
      task.onProblem(
        words(
          "The context window of {model} has about {limit, number} tokens, and the instructions and tools take {fixed, number} of them, so little room is left for the work. Give the server a larger window, or choose another model.",
          { model: model.name, limit, fixed },
        ),
      );
    },
  };
}

/** Returns a function that makes the context in which a call's tool works. */
function callContext(
  { folder, mode, transcript, isMate }: Activation,
  { clock, files, web, charts, webSearch }: ExpertServices,
  session: {
    readonly view: HostView;
    readonly commands: TaskCommands;
    readonly onEvent: (event: Drafted<AgentEvent>) => void;
  },
): CallServices["context"] {
  const { view, commands, onEvent } = session;
  const searched = webSearch?.();
  const passedOver = new Set<string>();
  return (callId, signal) => ({
    ...view.forCall(),
    seen: transcript.seen,
    passedOver,
    whyNeverWritten: (path) =>
      whyNeverWritten(path, { mode, folder, ...(isMate && { isMate }) }, files),
    commands,
    clock,
    ...(web === undefined ? {} : { web }),
    ...(searched === undefined ? {} : { webSearch: searched }),
    ...(charts === undefined ? {} : { charts }),
    taskFolder: folder,
    callId,
    signal,
    onOutput: (text) => {
      onEvent({ type: "toolOutput", callId, text });
    },
    onEvent,
  });
}

/** Returns a function that runs a command as a call of the agent's, to check what it has submitted. */
function commandRunner(
  { slug }: Mode,
  tools: ReadonlyMap<string, AnyTool>,
  services: CallServices,
  ids: Ids,
  signal: AbortSignal,
): RunCommand {
  return async (command) => {
    const shell = tools.get("execute_command");
    if (shell?.kind !== "action") throw new Error(`${slug} runs no commands`);
    const args = JSON.stringify({ command, timeout_seconds: checkSeconds });
    const call = { id: `check-${ids.hex(12)}`, name: shell.name, arguments: args };
    // Nothing is written when it starts: if the process is killed meanwhile, the work is submitted, and checked, again.
    const onStart = () => Promise.resolve();
    const ran = await runCall(shell, { call, adopted: false }, services, signal, onStart);
    return ran.type === "parked" ? { waitsFor: ran.action } : ran.result;
  };
}

/**
 * Returns the policy for a call, by the settings at this moment: the user may have switched the sandbox off, or
 * narrowed what runs without approval, since the session began.
 */
async function policyNow(
  { slug }: Mode,
  begunInSandbox: boolean,
  services: ExpertServices,
): Promise<Policy> {
  const settings = services.settings();
  const usable = begunInSandbox && (await services.sandboxUse.of(slug)) !== undefined;
  return {
    ...policyOf(slug, settings),
    ...(usable && { sandbox: { hosts: settings.sandbox?.allowedHosts ?? [] } }),
  };
}

/**
 * Returns the dialect to begin in, and how to continue if the model turns out to have no tool calling. Only the
 * setting "auto" lets a session change its dialect.
 */
function chooseDialect(
  task: Activation,
  model: Pick<LanguageModel, "name">,
  dialects: Record<DialectName, () => Dialect>,
  services: ExpertServices,
): Pick<Agent, "dialect" | "withoutTools"> {
  const choice = services.settings().dialectFor?.(task.mode.slug) ?? "auto";
  if (choice !== "auto") return { dialect: dialects[choice]() };
  const { modelsWithoutTools } = services;
  const isWithout = task.transcript.dialect === "envelope" || modelsWithoutTools.has(model.name);
  return {
    dialect: dialects[isWithout ? "envelope" : "native"](),
    withoutTools: (why) => {
      // A model learns its name from its settings, when it is first asked.
      const { name } = model;
      if (why === "refused") modelsWithoutTools.refused(name);
      else modelsWithoutTools.calledNone(name, task.taskId);
      task.onWithoutTools(name, modelsWithoutTools.has(name) ? "refused" : "calledNone");
      return dialects.envelope();
    },
  };
}

function limitsOf(slug: string, { limits, modes }: ExpertSettings): AgentLimits {
  return { turns: modes?.[slug]?.turns ?? limits.turns };
}

/** The most seconds that a check of submitted work may take. */
const checkSeconds = 900;

/** Names of the tools that run command lines. */
const commandTools: ReadonlySet<string> = new Set(["execute_command", "run_shell_command"]);
