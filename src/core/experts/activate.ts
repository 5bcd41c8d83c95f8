import type { Calls } from "../agent/calls/settleCalls.js";
import type { AgentEvent } from "../agent/events.js";
import { type AgentEnd, type AgentLimits, runAgent } from "../agent/loop.js";
import { TaskCommands } from "../agent/taskCommands.js";
import type { Transcript } from "../agent/transcript.js";
import { ChangeStore } from "../changes/changeStore.js";
import { noDocuments } from "../changes/noDocuments.js";
import { TaskRecorder } from "../changes/taskRecorder.js";
import { reviewCommand } from "../commands/reviewCommand.js";
import type { CommandParser } from "../commands/line/syntaxTree.js";
import { spendingOf } from "../spending/spendTotals.js";
import { checkNotIgnored, IgnoredFiles } from "../access/ignoredFiles.js";
import { agentFiles, agentSearch } from "../access/agentFiles.js";
import { WorkspaceGuard } from "../access/locatedPath.js";
import { askToSpend } from "./askToSpend.js";
import { authorise } from "./authorise.js";
import type { Ending } from "./ending.js";
import { expertDialects } from "./expertDialects.js";
import { expertSandbox } from "./expertSandbox.js";
import type { ExpertSettings } from "./expertSettings.js";
import type { ExpertServices } from "./expertServices.js";
import type { Mode } from "./mode.js";
import { policyOf } from "./sandboxUse.js";
import { toolsOf } from "./toolbox.js";

export interface Activation {
  readonly taskId: string;
  /** The task's folder, as in `.rooroo/tasks/ID`. */
  readonly folder: string;
  readonly mode: Mode;
  /** The goal that the user or the plan set. */
  readonly goal: string;
  readonly transcript: Transcript;
  readonly ending: Ending;
  /**
   * Called with the model's name when it turns out to have no tool calling and the task continues
   * without.
   */
  readonly onWithoutTools: (model: string) => void;
  /** Called with the reason when submitted work is rejected. */
  readonly onReportRejected: (problem: string) => void;
}

/** Runs the agent loop for one activation of a task, with the mode's tools and approvals. */
export async function activate(
  task: Activation,
  world: ExpertServices,
  onEvent: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<AgentEnd> {
  const { tool, accept } = task.ending;
  const { mode, folder } = task;
  const runsCommands = mode.tools.some((name) => commandTools.has(name));
  const atStart = runsCommands ? await world.sandboxUse.of(mode.slug) : undefined;
  const tools = toolsOf(mode, world, tool, atStart !== undefined);
  const webSearch = world.webSearch?.();
  const changes = new TaskRecorder(
    new ChangeStore(world.files, world.clock, world.signer, task.folder),
    world.files,
  );
  const { hides } = mode;
  const hidden = new IgnoredFiles(world.files, hides);
  const files = agentFiles(world.files, hidden);
  const documents = world.documents ?? noDocuments;
  const commands = new TaskCommands(world.commandStops);
  const calls: Omit<Calls, "tools"> = {
    clock: world.clock,
    onEvent,
    // Each call gets its own context, so that the ignored files of that moment count for it.
    context: (callId, callSignal) => {
      const hiddenNow = hidden.once();
      const guard = new WorkspaceGuard(world.files, hiddenNow);
      return {
        files: agentFiles(world.files, hiddenNow),
        guard,
        documents,
        changes,
        shell: world.shell,
        commands,
        ...(atStart && {
          sandbox: expertSandbox(mode, folder, {
            files: world.files,
            hidden: hiddenNow,
            guard,
            documents,
            search: world.search,
            changes,
            direct: atStart.direct,
          }),
        }),
        clock: world.clock,
        review: async (line, folder) => {
          const test = await hiddenNow.read();
          return reviewCommand(line, folder, {
            files: world.files,
            isHidden: (path) => {
              // The user can allow a file that .rooignore hides, once; nobody can allow one that the
              // mode may not read.
              if (hides !== undefined) checkNotIgnored(path, hides);
              return test(path) !== undefined;
            },
            steers: async (path) => (await guard.locate(path)).protection,
            parser: speaksPosix(world.shell.description) ? world.parser : noParser,
            rules: world.settings().commands ?? { allow: [], deny: [] },
          });
        },
        search: agentSearch(world.search, hiddenNow),
        ...(world.web === undefined ? {} : { web: world.web }),
        ...(webSearch === undefined ? {} : { webSearch }),
        ...(world.charts === undefined ? {} : { charts: world.charts }),
        ...(world.problems === undefined ? {} : { problems: world.problems }),
        taskFolder: task.folder,
        callId,
        alone: (path, work) => world.writes.run(path, work),
        signal: callSignal,
        onOutput: (text) => {
          onEvent({ type: "toolOutput", callId, text });
        },
        onEvent,
      };
    },
    authorise: async (callId, asked, callSignal) => {
      const { files, ids, grants, approver } = world;
      const settings = world.settings();
      // Checked again: the user may have switched the sandbox off, or narrowed what runs without
      // approval.
      const usable = atStart && (await world.sandboxUse.of(mode.slug));
      const policy = {
        ...policyOf(mode.slug, settings),
        ...(usable && { sandbox: { hosts: settings.sandbox?.allowedHosts ?? [] } }),
      };
      return authorise(
        callId,
        asked,
        { task, policy, files, ids, grants, approver, onEvent },
        callSignal,
      );
    },
    rejected: task.onReportRejected,
    redact: (text) => world.redactor.text(text),
    accept,
  };
  const model = world.modelFor?.(task.mode.slug) ?? world.model;
  const dialects = expertDialects(task, { ...world, files }, { tools, accept });
  const choice = world.settings().dialectFor?.(task.mode.slug) ?? "auto";
  const without =
    task.transcript.dialect === "envelope" || world.modelsWithoutTools.has(model.name);
  return runAgent(
    {
      transcript: task.transcript,
      model,
      dialect: dialects[choice === "auto" ? (without ? "envelope" : "native") : choice](),
      ...(choice === "auto"
        ? {
            withoutTools: () => {
              world.modelsWithoutTools.add(model.name);
              task.onWithoutTools(model.name);
              return dialects.envelope();
            },
          }
        : {}),
      calls,
      limits: limitsOf(task.mode.slug, world.settings()),
      mayAsk: async () => {
        const limit = await world.spending.reached(task.taskId, spendingOf(task.transcript.effort));
        if (limit === undefined) return undefined;
        const { ids, approver } = world;
        return askToSpend(limit, { taskId: task.taskId, ids, approver, onEvent }, signal);
      },
      context: {
        limit: world.settings().contextTokens ?? undefined,
        observedWindows: world.windows,
      },
      newMessageId: () => `m-${world.ids.hex(12)}`,
      onEvent,
    },
    signal,
  ).finally(() => commands.endAll());
}

function limitsOf(slug: string, { limits, modes }: ExpertSettings): AgentLimits {
  const own = modes?.[slug];
  return {
    ...limits,
    turns: own?.turns ?? limits.turns,
    failuresInARow: own?.failuresInARow ?? limits.failuresInARow,
  };
}

/** Names of the tools that run command lines. */
const commandTools: ReadonlySet<string> = new Set(["execute_command", "run_shell_command"]);

const noParser: CommandParser = { parse: () => Promise.resolve(undefined) };

/** Returns whether the shell is of the one family whose grammar the parser knows. */
function speaksPosix(description: string): boolean {
  return /^(ba|da)?sh /.test(description);
}
