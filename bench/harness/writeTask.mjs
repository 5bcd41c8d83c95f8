import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes the folder of a task that is done.
 *
 * @param {string} root
 * @param {number} n The task's number.
 * @param {{ signer: any, signJson: any }} signing
 */
export async function writeTask(root, n, { signer, signJson }) {
  const taskId = `ROO#TASK_20260102030405_${n.toString(16).toUpperCase().padStart(6, "0")}`;
  const folder = join(root, ".rooroo", "tasks", taskId);
  await mkdir(folder, { recursive: true });
  const common = { schema: 1, taskId, parentTaskId: null, planId: null };
  const record = { ...common, mode: "rooroo-developer", goal: "Go", createdAt: "2026-01-02" };
  const report = {
    status: "Done",
    message: "Done.",
    output_artifact_paths: [],
    clarification_question: null,
    error_details: null,
  };
  await writeFile(join(folder, "context.md"), `# ${taskId}\n`);
  /** @param {string} name @param {object} value */
  const state = (name, value) => {
    const path = `.rooroo/tasks/${taskId}/${name}`;
    return writeFile(join(root, path), signJson(JSON.stringify(value), path, signer));
  };
  await state("task.json", record);
  await writeFile(join(folder, "transcript.jsonl"), "{}\n".repeat(50));
  await state("report.json", report);
}
