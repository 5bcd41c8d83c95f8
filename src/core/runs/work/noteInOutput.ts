import { HostView } from "../../experts/workspaceHost.js";
import type { TaskId } from "../../ids.js";
import type { RunStore } from "../documents/runStore.js";
import type { RunServices } from "./runServices.js";

/**
 * Adds notes to the end of a text that an executor has written, each once, as a change of that executor's: it is undone
 * with its other changes. Nothing happens if there is no such file, or if it is not Markdown or plain text.
 *
 * @param taskId the executor's session
 */
export async function noteInOutput(
  path: string,
  notes: readonly string[],
  taskId: TaskId,
  { files }: RunStore,
  { experts }: RunServices,
): Promise<void> {
  if (!/\.(?:md|markdown|txt)$/i.test(path)) return;
  const { changes, alone } = new HostView(experts.host, {
    mode: { slug: "rooroo-run-executor", writes: "ownTaskFolder" },
    folder: `.rooroo/tasks/${taskId}`,
    sandbox: undefined,
    state: experts,
    settings: () => experts.settings(),
  }).forCall();
  await alone(path, async () => {
    const before = await files.readFile(path);
    const text = new TextDecoder().decode(before);
    const missing = notes.filter((note) => !text.includes(note));
    if (before === undefined || missing.length === 0) return;
    const added = missing.map((note) => `\n> ${note}\n`).join("");
    const after = new TextEncoder().encode(`${text.trimEnd()}\n${added}`);
    await changes.writing(path, before, after);
    await files.replaceFile(path, after, { expected: before });
  });
}
