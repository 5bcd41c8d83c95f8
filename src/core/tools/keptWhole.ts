import type { ToolContext } from "../agent/tool.js";

/** Characters of a result that a model is shown. */
const maxShown = 40_000;

/**
 * A long text cut to what a model should be shown, the whole of it kept in the task's folder.
 *
 * @param ending of the file's name, as `md`
 * @param note what else there is to say below it, if anything
 */
export async function keptWhole(
  text: string,
  ending: string,
  { files, taskFolder, callId }: ToolContext,
): Promise<{ shown: string; note: string }> {
  if (text.length <= maxShown) return { shown: text, note: "" };
  const path = `${taskFolder}/output/${fileNameOf(callId)}.${ending}`;
  await files.replaceFile(path, text);
  return {
    shown: text.slice(0, maxShown),
    note: `\n(Cut after ${maxShown} of ${text.length} characters; all of it is in ${path}.)`,
  };
}

/** Servers choose the ids of calls. */
export function fileNameOf(callId: string): string {
  return callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100) || "call";
}
