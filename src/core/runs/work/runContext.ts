import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { tagged } from "../../text/tagged.js";
import { type PhaseName, phaseNames } from "../documents/runLayout.js";
import type { RunState } from "../documents/runState.js";
import type { RunStore } from "../documents/runStore.js";
import type { RunRow } from "../documents/runTables.js";
import { similarRuns } from "../documents/similarRuns.js";
import type { PlanTarget, Work } from "./step.js";
import { toolKind } from "./toolKind.js";

/** The most rows of the catalog that an agent is shown; the run's own come first. */
const mostAssets = 200;
/** The most characters shown of the guidelines for operations of several steps. */
const mostOperations = 12_000;

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

  /** Returns the active user instructions of all runs. */
  async active(): Promise<RunRow<"user_instructions">[]> {
    return (await this.store.rows("user_instructions")).filter(({ status }) => status === "ACTIVE");
  }

  catalog(): Promise<RunRow<"knowledge_base_catalog">[]> {
    return this.store.rows("knowledge_base_catalog");
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

  async forPlanner(target: PlanTarget): Promise<string> {
    const { layout } = this.store;
    const { rows, runId } = this.state;
    const task = [orders(target, layout.outputs(runId))];
    const parts: string[] = [];
    const message = (): string =>
      [this.#request(), ...parts, tagged("task", task.join("\n\n"))].join("\n\n");
    switch (target.type) {
      case "preparation":
        return message();
      case "proposal":
        parts.push(...(await this.#forProposal()));
        return message();
      case "phase": {
        const phase = rows.phases.find(({ phase_id }) => phase_id === target.id);
        task.push(`The phase is ${phase?.phase_name ?? ""}: ${phase?.phase_purpose ?? ""}`);
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
        const text = await this.store.text(this.#operations);
        if (text !== "")
          parts.push(quoteUntrusted(this.#operations, text.slice(0, mostOperations)));
        break;
      }
    }
    const plansTools = target.type === "stage" || target.type === "tools";
    if (plansTools && !this.hasWebSearch) task.push("There is no web search here: plan none.");
    parts.push(...(await this.#knowledge()));
    return message();
  }

  /**
   * Returns the message to an executor.
   *
   * @param output the path of its output
   */
  async forExecutor(work: Work, output: string): Promise<string> {
    const { task } = work;
    const catalog = await this.catalog();
    const helpers = this.state.rows.tool_tasks
      .filter(({ parent_task_id }) => parent_task_id === task.task_id)
      .map(({ tool_task_id }) => tool_task_id);
    const made = catalog.filter(
      ({ source_task_id: id, file_path: path }) =>
        helpers.includes(id) || (work.type === "tool" && path === task.output_path),
    );
    // The preparation begins from all files that the user provided.
    const given = catalog.filter(({ asset_type: type }) => type === "ORIGINAL_INPUT");
    const references = new Set([
      ...referencesOf(task),
      ...(task.stage_id === "0" ? given.slice(0, mostAssets) : made).map((one) => one.file_path),
    ]);
    // Only planners are told of operations of several steps (R-MV-34).
    references.delete(this.#operations);
    const known = [...references].map((path) => {
      const asset = catalog.find(({ file_path }) => file_path === path);
      return `${path}${asset === undefined || asset.summary === "" ? "" : `: ${asset.summary}`}`;
    });
    const what =
      work.type === "tool"
        ? `${work.tool.tool_task_name} (${work.tool.tool_type}): ${work.tool.tool_task_purpose}\n\nIt helps this task ${work.tool.timing === "PRE" ? "before it begins" : "now that it is done"}: ${task.task_purpose}`
        : `${task.task_name}: ${task.task_purpose}`;
    const how = work.type === "tool" ? toolKind(work.tool.tool_type)?.how : undefined;
    const lines = [
      what,
      ...(how === undefined ? [] : [how]),
      `Write its output to: ${output}`,
      `It begins from:\n${known.length === 0 ? "nothing but the request" : known.join("\n")}`,
    ];
    const parts = [this.#request(), ...(await this.#instructions())];
    const guidelines = catalog.filter(
      ({ asset_type: type, file_path: path }) =>
        type === "GUIDELINE_DOC" && path !== this.#operations,
    );
    if (guidelines.length > 0) parts.push(quoteUntrusted("guidelines", assetLines(guidelines)));
    return [...parts, tagged("task", lines.join("\n\n"))].join("\n\n");
  }

  /** The path of the guidelines for operations of several steps. */
  get #operations(): string {
    return `${this.store.layout.guidelines}/mcp_list.md`;
  }

  #request(): string {
    return tagged("request", this.run.user_request);
  }

  async #instructions(): Promise<string[]> {
    const lines = (await this.active()).map(
      (row) => `${row.instruction_id} [${row.instruction_type}] ${row.content}`,
    );
    return lines.length === 0 ? [] : [tagged("instructions", lines.join("\n"))];
  }

  /** Returns the active instructions and the relevant rows of the catalog. */
  async #knowledge(): Promise<string[]> {
    const { runId } = this.state;
    const like = new Set((await this.learnt()).map(({ run_id }) => run_id));
    const inputs = ["ORIGINAL_INPUT", "GUIDELINE_DOC"];
    const rank = (row: RunRow<"knowledge_base_catalog">) =>
      row.run_id === runId ? 0 : inputs.includes(row.asset_type) ? 1 : like.has(row.run_id) ? 2 : 3;
    const assets = (await this.catalog())
      .filter((row) => rank(row) < 3)
      .toSorted((a, b) => rank(a) - rank(b));
    const left = assets.length - mostAssets;
    const more = left > 0 ? `\n(${left} more are in the catalog.)` : "";
    return [
      ...(await this.#instructions()),
      quoteUntrusted("the catalog", `${assetLines(assets.slice(0, mostAssets))}${more}`),
    ];
  }

  async #forProposal(): Promise<string[]> {
    const parts = await this.#instructions();
    const learnt = await this.learnt();
    if (learnt.length > 0) {
      const all = await this.store.rows("user_instructions");
      const lines = learnt.flatMap((run) => [
        `${run.run_id} (${run.status}): ${run.user_request}`,
        ...all.filter(({ run_id }) => run_id === run.run_id).map(historyLine),
      ]);
      parts.push(quoteUntrusted("earlier runs like this one", lines.join("\n")));
    }
    const { runId } = this.state;
    const earlier = await this.store.earlierProposals(runId);
    const pathOf = (index: number) => this.store.layout.earlierProposal(runId, index + 1);
    return [...parts, ...earlier.map((text, index) => quoteUntrusted(pathOf(index), text))];
  }
}

/** Returns an instruction of an earlier run, with what became of it (R-MV-9). */
function historyLine(row: RunRow<"user_instructions">): string {
  const { instruction_id: id, instruction_type: type, superseded_by_id: by, content } = row;
  const now = by === "" ? row.status : `${row.status} by ${by}`;
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
  return `The task to be helped is ${task.task_name}: ${task.task_purpose}\nIt leads to: ${task.output_path}\nWhat is to help it: ${purpose}`;
}

/** Returns the planner's instructions for a target. */
function orders(target: PlanTarget, outputs: string): string {
  switch (target.type) {
    case "preparation":
      return `Plan how this run is prepared: exactly the tasks T00, T02, T03 and T04, each with a name and a purpose in one sentence. T00 makes the run's folders, T02 writes down the instructions that the user confirms, T03 puts assets and guidelines into the catalog; code does these three. T04 is the executor's: a first document that says what the material is, as far as it matters for the request.`;
    case "proposal":
      return `Propose what this run is to hold to; the user confirms it, has it changed, or cancels. Say in summary what will be done and what will be made. Turn the request into instructions, each one rule that can be checked. Compare them with those in <instructions>, if there are any: what a new one takes the place of goes into its supersedes, what contradicts into conflicts. Where earlier proposals are given, work in what the user wants changed. Put what only the user can say into questions, and propose your best assumption.`;
    case "phase":
      return `Plan the stages of one phase, as few as it needs: what documents the phase is to add, and in which order they come to be.`;
    case "stage":
      return `Plan the tasks of one stage, in order. related_references are paths from the catalog, or outputs of earlier tasks. output_path is a new file in the phase's folder; in GENERATING_OUTPUT, what is handed over goes to ${outputs}/.`;
    case "tools":
      return `Plan what helps one task ${target.timing === "PRE" ? "before it begins: what it lacks, as research on the web" : "now that it is done: what its output gains by, as a chart"}. Each is one action that leads to one file. If the guidelines describe an operation of several steps that fits, divide all of it into such actions.`;
  }
}
