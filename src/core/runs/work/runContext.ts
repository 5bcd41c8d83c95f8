import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { tagged } from "../../text/tagged.js";
import { type PhaseName, phaseNames } from "../documents/runLayout.js";
import type { RunState } from "../documents/runState.js";
import type { RunStore } from "../documents/runStore.js";
import type { RunRow } from "../documents/runTables.js";
import { similarRuns } from "../documents/similarRuns.js";
import { leftOutNote, leftOutOf } from "./failure.js";
import { givenTexts } from "./givenTexts.js";
import { declinedFolders, materialLines, materialOf, materialText } from "./material.js";
import type { PlanTarget, Work } from "./step.js";
import { toolKind } from "./toolKind.js";

/** The most rows of the catalog that an agent is shown; the run's own come first. */
const mostAssets = 200;
/** The most characters shown of the guidelines for operations of several steps. */
const mostOperations = 12_000;
/** The most bytes of guidelines in a message, about 4,000 tokens, and of the files that a task begins from. */
const mostGuidelines = 16_000;
const mostInputs = 16_000;

/**
 * Composes the messages to agents from the tables. Of other runs' files, only those in the catalog are named
 * (R-MV-35).
 */
export class RunContext {
  constructor(
    private readonly store: RunStore,
    private readonly state: RunState,
    /** Whether executors can search the web. */
    readonly hasWebSearch: boolean,
    /** The report of the failure after which this step is tried again; `""` if it is tried for the first time. */
    private readonly earlierFailure = "",
  ) {}

  get run(): RunRow<"process_runs"> {
    const [run] = this.state.rows.process_runs;
    if (run === undefined) throw new Error(`no run ${this.state.runId}`);
    return run;
  }

  /**
   * Returns the name of a phase by its id. The preparation counts as ANALYZING, since it also gathers facts.
   */
  phaseOf(phaseId: string): PhaseName {
    const name = this.state.rows.phases.find(({ phase_id }) => phase_id === phaseId)?.phase_name;
    return phaseNames.find((one) => one === name) ?? "ANALYZING";
  }

  /** Returns the phase of a task's stage. */
  phaseOfTask({ stage_id: id }: RunRow<"tasks">): PhaseName {
    const stage = this.state.rows.major_stages.find(({ stage_id }) => stage_id === id);
    return this.phaseOf(stage?.phase_id ?? "");
  }

  /** Returns the user's instructions that the run has to follow. */
  active(): Promise<RunRow<"user_instructions">[]> {
    return this.store.activeInstructions(this.state.runId);
  }

  /** Returns what the proposal's document says of the material, one folder a line. */
  async material(): Promise<string[]> {
    const { files, layout } = this.store;
    return materialLines(await materialOf(files, layout), this.run.user_request);
  }

  /** Returns the files that the run's agents may know of, without those that the user did not want it to read. */
  async catalog(): Promise<RunRow<"knowledge_base_catalog">[]> {
    const { layout } = this.store;
    const proposal = await this.store.text(layout.proposal(this.state.runId));
    const declined = declinedFolders(layout, proposal);
    return (await this.store.rows("knowledge_base_catalog")).filter(({ file_path: path }) =>
      declined.every((folder) => !path.startsWith(`${folder}/`)),
    );
  }

  /** Returns the paths that the run's agents may know of, whichever run made the files. */
  async known(): Promise<string[]> {
    const catalog = (await this.catalog()).map(({ file_path }) => file_path);
    return [...catalog, ...this.state.rows.tasks.flatMap(referencesOf)];
  }

  /** Returns earlier runs with similar requests (R-MV-6). */
  async learnt(): Promise<RunRow<"process_runs">[]> {
    return similarRuns(this.state.runId, await this.store.rows("process_runs"));
  }

  /** Returns the message to a planner: what stays the same from call to call comes first. */
  async forPlanner(target: PlanTarget): Promise<string> {
    const parts =
      target.type === "proposal" ? await this.#forProposal() : await this.#knowledge(target);
    return this.#message(parts, this.#planningTask(target));
  }

  /** Returns what a planner is told to do. */
  #planningTask(target: PlanTarget): string[] {
    const { layout } = this.store;
    const { rows, runId } = this.state;
    const task = [orders(target, layout.outputs(runId))];
    switch (target.type) {
      case "proposal":
        return task;
      case "phase": {
        const phase = rows.phases.find(({ phase_id }) => phase_id === target.id);
        const folder = layout.workspace(runId, this.phaseOf(target.id));
        task.push(
          `The phase is ${phase?.phase_name ?? ""}: ${phase?.phase_purpose ?? ""}`,
          `Its folder is ${folder}/.`,
        );
        break;
      }
      case "stage": {
        const stage = rows.major_stages.find(({ stage_id }) => stage_id === target.id);
        const phase = this.phaseOf(stage?.phase_id ?? "");
        task.push(
          `The stage is ${stage?.stage_name ?? ""}: ${stage?.stage_goal ?? ""}`,
          `It is in the phase ${phase}, whose folder is ${layout.workspace(runId, phase)}/.`,
        );
        break;
      }
      case "tools": {
        const helped = rows.tasks.find(({ task_id }) => task_id === target.id);
        if (helped !== undefined) task.push(taskText(helped, target.timing));
      }
    }
    if (!this.hasWebSearch) task.push("There is no web search here: plan none.");
    return task;
  }

  /**
   * Returns the message to an executor: what stays the same from task to task comes first.
   *
   * @param output the path of its output
   */
  async forExecutor(work: Work, output: string): Promise<string> {
    const { files, layout } = this.store;
    const catalog = await this.catalog();
    const references = this.#referencesFor(work, catalog);
    const guidelines = catalog.filter(
      ({ asset_type: type, file_path: path }) =>
        type === "GUIDELINE_DOC" && !layout.isOperations(path),
    );
    const rules = await givenTexts(guidelines.map(pathOf), files, mostGuidelines, true);
    const inputs = await givenTexts([...references], files, mostInputs, false);
    const known = await Promise.all(
      [...references].map(async (path) => {
        const summary = catalog.find(({ file_path }) => file_path === path)?.summary ?? "";
        const isThere = inputs.whole.has(path) || (await files.stat(path)) !== undefined;
        return `${path}${summary === "" ? "" : `: ${summary}`}${isThere ? "" : " (It is not there.)"}`;
      }),
    );
    const toRead = guidelines.filter(({ file_path: path }) => !rules.whole.has(path));
    const parts = [
      ...(await this.#instructions()),
      ...rules.quoted,
      ...(toRead.length === 0 ? [] : [quoteUntrusted("guidelines", assetLines(toRead))]),
      ...inputs.quoted,
      ...this.#leftOut(work),
    ];
    const isBegun = this.earlierFailure !== "" && (await files.stat(output)) !== undefined;
    return this.#message(parts, [
      ...workText(work),
      `Write its output to: ${output}`,
      ...(isBegun ? ["The earlier try has left something there: read it before you write."] : []),
      `It begins from:\n${known.length === 0 ? "nothing but the request" : known.join("\n")}`,
    ]);
  }

  /** Returns the paths that a task begins from. */
  #referencesFor(
    work: Work,
    catalog: readonly RunRow<"knowledge_base_catalog">[],
  ): ReadonlySet<string> {
    const { task } = work;
    const helpers = this.state.rows.tool_tasks
      .filter(({ parent_task_id }) => parent_task_id === task.task_id)
      .map(({ tool_task_id }) => tool_task_id);
    const made = catalog.filter(
      ({ source_task_id: id, file_path: path }) =>
        helpers.includes(id) || (work.type === "tool" && path === task.output_path),
    );
    // The preparation begins from all files that the user provided.
    const given = catalog.filter(({ asset_type: type }) => type === "ORIGINAL_INPUT");
    const references = [
      ...referencesOf(task),
      ...(task.stage_id === "0" ? given.slice(0, mostAssets) : made).map(pathOf),
    ];
    // Only planners are told of operations of several steps (R-MV-34).
    return new Set(references.filter((path) => !this.store.layout.isOperations(path)));
  }

  /** Returns what helpers of the task could not do. */
  #leftOut({ task }: Work): string[] {
    const notes = leftOutOf(task, this.state.rows).map((part) => leftOutNote(part));
    return notes.length === 0 ? [] : [quoteUntrusted("what was left out", notes.join("\n"))];
  }

  /** Puts the parts of a message in order, the request first and the task last. */
  #message(parts: readonly string[], task: readonly string[]): string {
    const again =
      this.earlierFailure === ""
        ? []
        : [quoteUntrusted("an earlier try, which failed", this.earlierFailure)];
    const request = tagged("request", this.run.user_request);
    return [request, ...parts, ...again, tagged("task", task.join("\n\n"))].join("\n\n");
  }

  /** Returns the guidelines for operations of several steps, if there are any. */
  async #operations(): Promise<string[]> {
    const { layout } = this.store;
    const own = `${layout.guidelines}/mcp_list.md`;
    const known = (await this.catalog()).map(pathOf).find((path) => layout.isOperations(path));
    for (const path of new Set([own, known ?? own])) {
      const text = await this.store.text(path);
      if (text !== "") return [quoteUntrusted(path, text.slice(0, mostOperations))];
    }
    return [];
  }

  async #instructions(): Promise<string[]> {
    const lines = (await this.active()).map(
      (row) => `${row.instruction_id} [${row.instruction_type}] ${row.content}`,
    );
    return lines.length === 0 ? [] : [tagged("instructions", lines.join("\n"))];
  }

  /**
   * Returns the active instructions, the guidelines, and the relevant rows of the catalog. The run's own rows come last,
   * because there will be more of them at the next call.
   */
  async #knowledge({ type }: PlanTarget): Promise<string[]> {
    const { files, layout } = this.store;
    const { runId } = this.state;
    const like = new Set((await this.learnt()).map(({ run_id }) => run_id));
    const inputs = ["ORIGINAL_INPUT", "GUIDELINE_DOC"];
    const rank = (row: RunRow<"knowledge_base_catalog">) =>
      inputs.includes(row.asset_type) ? 1 : row.run_id === runId ? 0 : like.has(row.run_id) ? 2 : 3;
    const assets = (await this.catalog()).filter((row) => rank(row) < 3);
    const shown = assets.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostAssets);
    const isOwn = (row: RunRow<"knowledge_base_catalog">) => (rank(row) === 0 ? 1 : 0);
    const left = assets.length - shown.length;
    const more = left > 0 ? `\n(${left} more are in the catalog.)` : "";
    const guidelines = shown.flatMap(({ asset_type: of, file_path: path }) =>
      of === "GUIDELINE_DOC" && !layout.isOperations(path) ? [path] : [],
    );
    const rules = await givenTexts(guidelines, files, mostGuidelines, true);
    const lines = assetLines(shown.toSorted((a, b) => isOwn(a) - isOwn(b)));
    return [
      ...(await this.#instructions()),
      ...rules.quoted,
      ...(type === "tools" ? await this.#operations() : []),
      quoteUntrusted("the catalog", `${lines}${more}`),
    ];
  }

  async #forProposal(): Promise<string[]> {
    const { files, layout } = this.store;
    const material = materialText(await materialOf(files, layout));
    const parts = [...(await this.#instructions()), quoteUntrusted("the material", material)];
    const learnt = await this.learnt();
    if (learnt.length > 0) {
      const all = await this.store.rows("user_instructions");
      const active = new Set((await this.active()).map(({ instruction_id: id }) => id));
      const lines = learnt.flatMap((run) => [
        `${run.run_id} (${run.status}): ${run.user_request}`,
        ...all
          .filter(({ run_id }) => run_id === run.run_id)
          .map((row) => historyLine(row, active.has(row.instruction_id))),
      ]);
      parts.push(quoteUntrusted("earlier runs like this one", lines.join("\n")));
    }
    const { runId } = this.state;
    const earlier = await this.store.earlierProposals(runId);
    const proposals = earlier.map((text, index) =>
      quoteUntrusted(layout.earlierProposal(runId, index + 1), text),
    );
    return [...parts, ...proposals];
  }
}

/** Returns an instruction of an earlier run, with what became of it (R-MV-9). */
function historyLine(row: RunRow<"user_instructions">, isActive: boolean): string {
  const { instruction_id: id, instruction_type: type, superseded_by_id: by, content } = row;
  const hasEnded = by === row.run_id || (row.status === "ACTIVE" && !isActive);
  const named = by === "" ? row.status : `${row.status} by ${by}`;
  const now = hasEnded ? "ended with its run" : named;
  return `- ${id} [${type}], ${now}: ${content}`;
}

/** Splits a cell into paths: code writes one a line, people separate them by commas. */
function referencesOf({ related_references: cell }: RunRow<"tasks">): string[] {
  const paths = cell.split(/\n|,\s+/).map((path) => path.replaceAll("`", "").trim());
  return paths.filter((path) => path !== "");
}

function assetLines(assets: readonly RunRow<"knowledge_base_catalog">[]): string {
  const lines = assets.map((one) => `${one.file_path} (${one.asset_type}): ${one.summary}`);
  return lines.length === 0 ? "nothing yet" : lines.join("\n");
}

function taskText(task: RunRow<"tasks">, timing: "PRE" | "POST"): string {
  const purpose = timing === "PRE" ? task.pre_tool_purpose : task.post_tool_purpose;
  return `The task to be helped is ${task.task_name}: ${task.task_purpose}\nIts output: ${task.output_path}\nThe help that it needs: ${purpose}`;
}

/** Returns the planner's instructions for a target. */
function orders(target: PlanTarget, outputs: string): string {
  switch (target.type) {
    case "proposal":
      return `Propose the rules that this run is to follow; the user confirms them, has them changed, or cancels. First look at the material where its beginning does not tell you enough: propose only what can be made of it, and say in questions what is missing. Say in summary what will be done and made. Turn the request into instructions, each one rule that can be checked. Compare them with those in <instructions>, if there are any: what a new one replaces goes into its supersedes, contradictions into conflicts. If earlier proposals are given, change what the user wants changed. Put what only the user can say into questions, and propose your best assumption.`;
    case "phase":
      return `Plan the stages of one phase, as few as it needs: which documents the phase is to add, and in which order. Submit each stage with its tasks, in order. Leave out the tasks of a stage only if what it needs depends on the result of an earlier one; you are called again for them. ${taskRules(outputs)}`;
    case "stage":
      return `Plan the tasks of one stage, in order. ${taskRules(outputs)}`;
    case "tools":
      return `Plan what helps one task ${target.timing === "PRE" ? "before it begins: what it lacks, such as research on the web" : "now that it is done: what improves its output, such as a chart"}. Each is one action that makes one file. If the guidelines describe a suitable operation of several steps, divide all of it into such actions.`;
  }
}

function taskRules(outputs: string): string {
  return `related_references are paths from the catalog, or outputs of earlier tasks. output_path is a new file in the phase's folder; in GENERATING_OUTPUT, final outputs go to ${outputs}/.`;
}

function pathOf({ file_path: path }: RunRow<"knowledge_base_catalog">): string {
  return path;
}

/** Returns what an executor is to do, and how. */
function workText(work: Work): string[] {
  if (work.type === "task") return [`${work.task.task_name}: ${work.task.task_purpose}`];
  const { tool_task_name: name, tool_type: type, tool_task_purpose: purpose, timing } = work.tool;
  const when = timing === "PRE" ? "before it begins" : "now that it is done";
  const how = toolKind(type)?.how;
  return [
    `${name} (${type}): ${purpose}`,
    `It helps this task ${when}: ${work.task.task_purpose}`,
    ...(how === undefined ? [] : [how]),
  ];
}
