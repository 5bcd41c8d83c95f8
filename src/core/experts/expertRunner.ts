import type { Calls } from "../agent/calls.js";
import type { DialectChoice } from "../agent/dialects/dialect.js";
import type { AgentEvent } from "../agent/events.js";
import { type AgentEnd, type AgentLimits, runAgent } from "../agent/loop.js";
import { type CommandStops, TaskCommands } from "../agent/taskCommands.js";
import type { Transcript } from "../agent/transcript.js";
import type { Prices } from "../agent/price.js";
import type { Approver } from "../approvals/approver.js";
import type { Grants } from "../approvals/grants.js";
import type { ApprovalPreset, CategoryRules, ModeApprovals } from "../approvals/approvalRules.js";
import type { Policy } from "../approvals/policy.js";
import type { CommandRules } from "../commands/commandRules.js";
import { reviewCommand } from "../commands/reviewCommand.js";
import type { CommandParser } from "../commands/syntaxTree.js";
import { ChangeStore } from "../changes/changeStore.js";
import { noDocuments } from "../changes/noDocuments.js";
import { TaskRecorder } from "../changes/taskRecorder.js";
import type {
  Clock,
  EditorDocuments,
  FileSystem,
  Ids,
  LanguageModel,
  Patterns,
  Search,
  Shell,
} from "../ports.js";
import { followupQuestion } from "../tools/askFollowupQuestion.js";
import { HiddenFiles } from "../tools/hiddenFiles.js";
import { visibleFiles } from "../tools/visibleFiles.js";
import { visibleSearch } from "../tools/visibleSearch.js";
import { WorkspaceGuard } from "../tools/workspaceGuard.js";
import type { SerialByKey } from "../serialByKey.js";
import type { Spending, SpendLimits } from "../spending/spending.js";
import { useOf } from "../spending/use.js";
import { askToSpend } from "./askToSpend.js";
import { authorise } from "./authorise.js";
import { expertDialects } from "./expertDialects.js";
import type { Mode } from "./mode.js";
import { completeReport, completionTool, type Report, reportProblem } from "./report.js";
import { type Toolbox, toolsOf } from "./toolbox.js";

/** What is absent is as it is for all. */
interface OwnSettings {
  readonly approvals?: ModeApprovals | undefined;
  readonly turns?: number | undefined;
  readonly failuresInARow?: number | undefined;
}

interface ExpertSettings {
  readonly preset: ApprovalPreset;
  /** What the person has said of commands; nothing where it is left out. */
  readonly commands?: CommandRules;
  readonly categories?: CategoryRules;
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

/** What experts work with. */
export interface ExpertWorld extends Toolbox {
  readonly files: FileSystem;
  readonly shell: Shell;
  readonly parser: CommandParser;
  readonly search: Search;
  readonly patterns: Patterns;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly model: LanguageModel;
  /** The model of a mode that has one of its own. */
  modelFor?(slug: string): LanguageModel;
  /** Where there is an editor. */
  readonly documents?: EditorDocuments;
  readonly approver: Approver;
  /** What was allowed beyond one call, by all the tasks of this process. */
  readonly grants: Grants;
  readonly spending: Spending;
  /** Names of models that turned out to have no tool calling; grows. */
  readonly modelsWithoutTools: Set<string>;
  /** Tokens of models' windows, as their servers told when something was too long; grows. */
  readonly windows: Map<string, number>;
  /** Of all the tasks of this process. */
  readonly commandStops: CommandStops;
  /** One file's writes, by all the tasks of this process. */
  readonly writes: SerialByKey;
  /** Those that a planner may give tasks to. */
  assignable(): readonly Mode[];
  /** Asked anew at each use. */
  settings(): ExpertSettings;
}

export interface ExpertTask {
  readonly taskId: string;
  /** As in `.rooroo/tasks/ID`. */
  readonly folder: string;
  readonly mode: Mode;
  /** What the person, or the plan, wants. */
  readonly goal: string;
  readonly transcript: Transcript;
  /** Told when the model turns out to have no tool calling, and the task goes on without. */
  readonly onWithoutTools: (model: string) => void;
  /** Told of a report that does not count, and why. */
  readonly onReportRejected: (problem: string) => void;
}

export type ExpertEnd =
  /** Its completion call, if it made one, waits for a result, to be written when the report is safe. */
  | { readonly type: "reported"; readonly callId: string | null; readonly report: Report }
  | {
      readonly type: "asks";
      /** The call that the answer is the result of; `null` when the expert just spoke. */
      readonly callId: string | null;
      readonly question: string;
      readonly suggestions: readonly string[];
    }
  | Extract<AgentEnd, { type: "waitsForApproval" | "stopped" | "exhausted" | "modelFailed" }>;

/** Puts a mode, its toolbox and its approvals on the agent loop, for one activation of a task. */
export async function runExpert(
  task: ExpertTask,
  world: ExpertWorld,
  onEvent: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<ExpertEnd> {
  const isPlanner = task.mode.slug === "rooroo-planner";
  const completion = completionTool(isPlanner);
  const tools = toolsOf(task.mode, world, completion);
  const webSearch = world.webSearch?.();
  const changes = new TaskRecorder(
    new ChangeStore(world.files, world.clock, task.folder),
    world.files,
  );
  const hidden = new HiddenFiles(world.files);
  const files = visibleFiles(world.files, hidden);
  const commands = new TaskCommands(world.commandStops);
  const calls: Omit<Calls, "tools"> = {
    clock: world.clock,
    onEvent,
    // Made anew each time that a call is prepared: what is hidden then counts for it.
    context: (callId, callSignal) => {
      const hiddenNow = hidden.once();
      const guard = new WorkspaceGuard(world.files, hiddenNow);
      return {
        files: visibleFiles(world.files, hiddenNow),
        guard,
        documents: world.documents ?? noDocuments,
        changes,
        shell: world.shell,
        commands,
        clock: world.clock,
        review: async (line, folder) =>
          reviewCommand(line, folder, {
            files: world.files,
            isHidden: await hiddenNow.read(),
            steers: async (path) => (await guard.look(path)).steers,
            parser: speaksPosix(world.shell.description) ? world.parser : noParser,
            rules: world.settings().commands ?? { allow: [], deny: [] },
          }),
        search: visibleSearch(world.search, hiddenNow),
        ...(world.web === undefined ? {} : { web: world.web }),
        ...(webSearch === undefined ? {} : { webSearch }),
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
    authorise: (callId, asked, callSignal) => {
      const { files, ids, grants, approver } = world;
      const policy = policyFor(task.mode.slug, world.settings());
      return authorise(
        callId,
        asked,
        { task, policy, files, ids, grants, approver, onEvent },
        callSignal,
      );
    },
    rejected: task.onReportRejected,
    accept: (args) => {
      const slugs = world.assignable().map(({ slug }) => slug);
      return accept(args, isPlanner ? slugs : undefined, world.files);
    },
  };
  const model = world.modelFor?.(task.mode.slug) ?? world.model;
  const dialects = expertDialects(task, { ...world, files }, { tools, accept: calls.accept });
  const choice = world.settings().dialectFor?.(task.mode.slug) ?? "auto";
  const without =
    task.transcript.dialect === "envelope" || world.modelsWithoutTools.has(model.name);
  const end = await runAgent(
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
        const limit = await world.spending.reached(task.taskId, useOf(task.transcript.effort));
        if (limit === undefined) return undefined;
        const { ids, approver } = world;
        return askToSpend(limit, { taskId: task.taskId, ids, approver, onEvent }, signal);
      },
      context: { limit: world.settings().contextTokens ?? undefined, learned: world.windows },
      newMessageId: () => `m-${world.ids.hex(12)}`,
      onEvent,
    },
    signal,
  ).finally(() => commands.endAll());
  switch (end.type) {
    case "completed":
      return { type: "reported", callId: end.callId, report: completeReport(end.args) };
    case "asks": {
      const asked = followupQuestion.parse(end.args);
      return {
        type: "asks",
        callId: end.callId,
        question: asked.question,
        suggestions: asked.suggestions ?? [],
      };
    }
    case "speaks":
      return { type: "asks", callId: null, question: end.text, suggestions: [] };
    case "waitsForApproval":
    case "stopped":
    case "exhausted":
    case "modelFailed":
      return end;
  }
}

function policyFor(slug: string, { preset, categories, modes }: ExpertSettings): Policy {
  const own = modes !== undefined && Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  return { preset, categories, mode: own?.approvals };
}

function limitsOf(slug: string, { limits, modes }: ExpertSettings): AgentLimits {
  const own = modes?.[slug];
  return {
    ...limits,
    turns: own?.turns ?? limits.turns,
    failuresInARow: own?.failuresInARow ?? limits.failuresInARow,
  };
}

const noParser: CommandParser = { parse: () => Promise.resolve(undefined) };

/** The one family of shells whose grammar is known here; of others nothing is. */
function speaksPosix(description: string): boolean {
  return /^(ba|da)?sh /.test(description);
}

/** R-ROO-3; artifacts must be there, because a report that names missing files is worth nothing. */
async function accept(
  args: unknown,
  experts: readonly string[] | undefined,
  files: FileSystem,
): Promise<string | undefined> {
  const report = completeReport(args);
  const problem = reportProblem(report, experts);
  if (problem !== undefined) return problem;
  for (const path of report.output_artifact_paths) {
    if (path.includes("{{")) return `${path}: write paths relative to the workspace root.`;
    const { inside } = await files.locate(path);
    if (!inside) return `${path} is outside the workspace; name workspace files only.`;
    if ((await files.stat(path)) === undefined) {
      return `output_artifact_paths names ${path}, which does not exist. Write it, or leave it out.`;
    }
  }
  return undefined;
}
