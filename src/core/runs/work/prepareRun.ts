import { readKeyedTable } from "../../documents/keyedTable.js";
import { writeCell } from "../../documents/tableCell.js";
import { UserError } from "../../errors.js";
import type { RunId } from "../../ids.js";
import { activeInstructions, sameWords } from "../documents/activeInstructions.js";
import { readProposal } from "../documents/proposal.js";
import { phaseNames, type PhaseName } from "../documents/runLayout.js";
import type { RunStore } from "../documents/runStore.js";
import { confirmedMaterial, materialOf } from "./material.js";
import { type CodeTask, preparationTasks } from "./step.js";

/**
 * Does what needs no model of a run's preparation. Each part can be repeated after an interruption at any
 * point: what exists already stays as it is.
 *
 * @throws {UserError} for a problem that the user has to fix first
 */
export async function prepareRun(task: CodeTask, runId: RunId, store: RunStore): Promise<void> {
  switch (task) {
    case "phase:0":
      await listTasks(runId, store);
      return;
    case "T00":
      await setUp(runId, store);
      break;
    case "T02":
      await amendInstructions(runId, store);
      break;
    case "T03":
      await fillCatalog(runId, store);
      break;
  }
  const values = { status: "COMPLETED" };
  await store.write(runId, [{ table: "tasks", edit: { type: "set", id: task, values } }]);
}

const texts: Readonly<Record<(typeof preparationTasks)[number], readonly [string, string]>> = {
  T00: ["Folders and phases", "Create the run's folders, and its phases from the template."],
  T02: ["Instructions", "Write down the instructions that the user has confirmed."],
  T03: ["Catalog", "Add the files of assets and guidelines to the catalog."],
  T04: [
    "The material",
    "Say what the material is, as far as it matters for the request: what each file contains, in what form and how much, and what the request needs that is missing.",
  ],
};

/** Writes the rows of the tasks that prepare the run (R-MV-7). */
async function listTasks(runId: RunId, store: RunStore): Promise<void> {
  const output = `${store.layout.workspace(runId, "ANALYZING")}/initial_analysis.md`;
  await store.change("tasks", runId, ({ rows }) =>
    rows.some(({ values }) => values.stage_id === "0")
      ? []
      : preparationTasks.map((id, index) => ({
          type: "add",
          values: {
            task_id: id,
            run_id: runId,
            stage_id: "0",
            task_name: texts[id][0],
            task_purpose: texts[id][1],
            output_path: id === "T04" ? output : "",
            execution_order: String(index + 1),
            status: "PENDING",
          },
        })),
  );
}

/** Creates the run's folders and its phases (R-MV-8). */
async function setUp(runId: RunId, store: RunStore): Promise<void> {
  const { files, layout } = store;
  const folders = [
    layout.outputs(runId),
    ...phaseNames.map((name) => layout.workspace(runId, name)),
  ];
  // Git keeps no empty folders, so each gets a file.
  for (const folder of folders) await files.createFile(`${folder}/.gitkeep`, "");
  await files.createFile(layout.phaseTemplate, defaultPhases);
  const phases = phasesOf(await store.text(layout.phaseTemplate));
  await store.change("phases", runId, ({ rows }) =>
    rows.length > 0
      ? []
      : phases.map(({ name, purpose }, index) => ({
          type: "add",
          values: {
            phase_id: `P${index + 1}`,
            run_id: runId,
            phase_name: name,
            phase_purpose: purpose,
            status: "PENDING",
          },
        })),
  );
}

/**
 * Makes the confirmed instructions active, and marks those that they supersede (R-MV-12). One that is already active
 * in the same words is not added again.
 */
async function amendInstructions(runId: RunId, store: RunStore): Promise<void> {
  const path = store.layout.proposal(runId);
  const proposed = readProposal(path, await store.text(path));
  const runs = await store.rows("process_runs");
  await store.withdrawInstructions(runId);
  await store.change("user_instructions", runId, ({ rows }) => {
    const known = rows.map(({ values }) => values);
    if (known.some(({ run_id }) => run_id === runId)) return [];
    const active = activeInstructions(runId, known, runs);
    let number = Math.max(0, ...known.map(({ instruction_id: id }) => numberIn(id)));
    return proposed.flatMap(({ type, content, supersedes, justification }) => {
      const stranger = supersedes.find((one) =>
        active.every(({ instruction_id }) => instruction_id !== one),
      );
      if (stranger !== undefined) {
        throw new UserError(
          "instructionInactive",
          "{path}: {instruction} is not an active instruction. Correct the proposal.",
          { path, instruction: stranger },
        );
      }
      const double = active.find((one) => sameWords(one.content) === sameWords(content));
      const id = double?.instruction_id ?? `I${++number}`;
      const values = { status: "SUPERSEDED", superseded_by_id: id, justification };
      const replaced = supersedes
        .filter((old) => old !== id)
        .map((old) => ({ type: "set" as const, id: old, values }));
      if (double !== undefined) return replaced;
      const added = {
        instruction_id: id,
        run_id: runId,
        instruction_type: type,
        content,
        status: "ACTIVE",
        justification,
      };
      return [...replaced, { type: "add" as const, values: added }];
    });
  });
}

/** Adds the user's files and the confirmed proposal to the catalog (R-MV-12). */
async function fillCatalog(runId: RunId, store: RunStore): Promise<void> {
  const { files, layout } = store;
  const proposal = await store.text(layout.proposal(runId));
  const material = confirmedMaterial(await materialOf(files, layout), proposal);
  const all = [
    ...material.flatMap(({ type, files: own }) => own.map((file) => ({ ...file, type }))),
    { path: layout.proposal(runId), summary: "What the run holds to", type: "USER_INSTRUCTIONS" },
  ];
  await store.change("knowledge_base_catalog", runId, ({ rows }) => {
    const known = new Set(rows.map(({ values }) => values.file_path));
    return all
      .filter(({ path }) => !known.has(path))
      .map(({ path, type, summary }) => ({
        type: "add",
        values: {
          file_path: path,
          run_id: runId,
          asset_type: type,
          source_task_id: type === "USER_INSTRUCTIONS" ? "T02" : "T03",
          summary,
        },
      }));
  });
}

function numberIn(id: string): number {
  return Number(/^I(\d{1,9})$/.exec(id)?.[1] ?? 0);
}

const columns = ["phase_name", "phase_purpose"] as const;

/** The purpose of each phase (R-MV-13). */
const purposes: Readonly<Record<PhaseName, string>> = {
  ANALYZING:
    "What is there? Gather the facts of the material, each in a small document of its own.",
  STRATEGIZING: "What follows from it? Decide the direction, from the facts.",
  REFINING_CONTENT: "How does it go deeper? Work facts and direction into content that holds.",
  GENERATING_OUTPUT:
    "What is handed over? Plan how the parts go together, make them, and publish the outputs.",
};

const row = (cells: readonly string[]) => `| ${cells.map(writeCell).join(" | ")} |\n`;

export const defaultPhases = [
  row(columns),
  row(columns.map(() => ":---")),
  ...phaseNames.map((name) => row([name, purposes[name]])),
].join("");

/** Returns the phases with the purposes that a template gives them. */
export function phasesOf(
  template: string,
): { readonly name: PhaseName; readonly purpose: string }[] {
  const { rows } = readKeyedTable<(typeof columns)[number]>(template, columns);
  return phaseNames.map((name) => {
    const own = rows.find(({ values }) => values.phase_name === name)?.values.phase_purpose ?? "";
    return { name, purpose: own === "" ? purposes[name] : own };
  });
}
