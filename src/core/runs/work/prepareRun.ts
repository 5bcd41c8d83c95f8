import { UserError } from "../../errors.js";
import { inputFiles } from "./inputFiles.js";
import { readProposal } from "../documents/proposal.js";
import { phaseNames, type PhaseName } from "../documents/runLayout.js";
import type { RunStore } from "../documents/runStore.js";
import type { CodeTask } from "./step.js";
import { readKeyedTable } from "../../documents/keyedTable.js";
import { writeCell } from "../../documents/tableCell.js";
import type { RunId } from "../../ids.js";

/**
 * Does a task of a run's preparation that needs no model. Each can be repeated after an interruption at any
 * point: what exists already stays as it is.
 *
 * @throws {UserError} for a problem that the user has to fix first
 */
export async function prepareRun(task: CodeTask, runId: RunId, store: RunStore): Promise<void> {
  switch (task) {
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

/** Makes the confirmed instructions active, and marks those that they supersede (R-MV-12). */
async function amendInstructions(runId: RunId, store: RunStore): Promise<void> {
  const path = store.layout.proposal(runId);
  const proposed = readProposal(path, await store.text(path));
  await store.change("user_instructions", runId, ({ rows }) => {
    const known = rows.map(({ values }) => values);
    if (known.some(({ run_id }) => run_id === runId)) return [];
    const active = known.flatMap((row) => (row.status === "ACTIVE" ? [row.instruction_id] : []));
    const first = 1 + Math.max(0, ...known.map(({ instruction_id: id }) => numberIn(id)));
    return proposed.flatMap(({ type, content, supersedes, justification }, index) => {
      const id = `I${first + index}`;
      const stranger = supersedes.find((one) => !active.includes(one));
      if (stranger !== undefined) {
        throw new UserError(
          "instructionInactive",
          "{path}: {instruction} is not an active instruction.",
          { path, instruction: stranger },
        );
      }
      const values = { status: "SUPERSEDED", superseded_by_id: id, justification };
      return [
        ...supersedes.map((old) => ({ type: "set" as const, id: old, values })),
        {
          type: "add" as const,
          values: {
            instruction_id: id,
            run_id: runId,
            instruction_type: type,
            content,
            status: "ACTIVE",
            justification,
          },
        },
      ];
    });
  });
}

/** Adds the user's files and the confirmed proposal to the catalog (R-MV-12). */
async function fillCatalog(runId: RunId, store: RunStore): Promise<void> {
  const { files, layout } = store;
  const all = [
    ...(await inputFiles(files, layout.assets)).map((one) => ({ ...one, type: "ORIGINAL_INPUT" })),
    ...(await inputFiles(files, layout.guidelines)).map((one) => ({
      ...one,
      type: "GUIDELINE_DOC",
    })),
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

/** What each phase is for (R-MV-13). */
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
