import type { ToolContext } from "../../agent/tool.js";
import { beginningOf } from "../../text/wellFormed.js";

/** Characters of a result that a model is shown. */
const maxShown = 40_000;

/**
 * Cuts a long text to what a model should be shown, and keeps the whole text in the task's folder.
 *
 * @param ending the extension of the kept file, such as `md`
 * @returns the text to show, and a note about the rest to put below it; the note is empty if
 *   nothing was cut
 */
export async function spillOutput(
  text: string,
  ending: string,
  { files, taskFolder, callId }: ToolContext,
): Promise<{ shown: string; note: string }> {
  if (text.length <= maxShown) return { shown: text, note: "" };
  const path = `${taskFolder}/output/${fileNameOf(callId)}.${ending}`;
  await files.replaceFile(path, text);
  const shown = beginningOf(text, maxShown);
  return {
    shown,
    note: `\n(Cut after ${shown.length} of ${text.length} characters; all of it is in ${path}.)`,
  };
}

/** Returns a safe file name for a call, because servers choose the ids of calls. */
export function fileNameOf(callId: string): string {
  return callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100) || "call";
}
