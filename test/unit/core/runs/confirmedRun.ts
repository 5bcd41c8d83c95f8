import assert from "node:assert/strict";
import type { TableName } from "../../../../src/core/runs/documents/runTables.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import type { RunStage } from "../../../fakes/runStage.js";

export const files = {
  "assets/notes.md": "# Notes\n\nA lot | of them.\n",
  "assets/.hidden": "x",
  "guidelines/style.md": "Short words.\n",
};
export const failed = (log: string) =>
  calls("attempt_completion", { status: "failed", error_log: log });

/** Confirms a run, and has it go on as far as it can. */
export async function confirmed(stage: RunStage, request = "Write a report about bees") {
  const run = await stage.start(request);
  assert.equal((await stage.drive(run)).status, "waiting");
  const end = await stage.decide(run, { type: "CONFIRM" });
  return { run, end };
}

/** Statuses by row, of a table. */
export async function statuses(stage: RunStage, name: TableName, run: string): Promise<string[]> {
  const rows: Readonly<Record<string, string>>[] = await stage.store.rows(name, run);
  return rows.map((row) => `${Object.values(row)[0] ?? ""} ${row["status"] ?? ""}`);
}

/** Returns what the last agent of that name was told. */
export function toldTo(stage: RunStage, unit: string): string {
  const taskId = stage.sessions[stage.units.lastIndexOf(unit)] ?? "";
  const [, user = ""] = (stage.files.text(`.rooroo/tasks/${taskId}/transcript.jsonl`) ?? "").split(
    "\n",
  );
  return (JSON.parse(user) as { content: string }).content;
}
