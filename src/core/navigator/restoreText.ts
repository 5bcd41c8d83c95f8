import type { ConversationEvent, RestoreScope } from "../conversation/events.js";
import { countText } from "../text/countText.js";
import { visibleLine } from "../text/visibleText.js";

type Restored = Extract<ConversationEvent, { type: "restored" }>;

/** A file that a restore has left as it is. */
export interface LeftFile {
  readonly path: string;
  readonly why: string;
}

const what: Readonly<Record<RestoreScope, string>> = {
  files: "the files",
  conversation: "the conversation",
  both: "the files and the conversation",
};

/** Returns what the conversation says as long as a restore has not ended. */
export function unfinishedText(scope: RestoreScope, title: string): string {
  return `Restoring ${what[scope]} to before “${visibleLine(title, 80)}” has not finished.`;
}

/** Returns what the conversation says of a restore that has ended; Markdown. */
export function restoredText(
  { scope, checkpoint, returning }: Restored,
  files: number,
  left: readonly LeftFile[],
): string {
  const restored = scope === "conversation" ? "" : ` ${countText(files, "file")} restored.`;
  const { length: count } = returning;
  const they = count === 1 ? "is queued again and waits" : "are queued again and wait";
  const queued = count === 0 ? "" : ` ${countText(count, "task")} ${they} until you proceed.`;
  const title = visibleLine(checkpoint.title, 80);
  const text = `Restored ${what[scope]} to before “${title}”.${restored}${queued}`;
  return left.length === 0 ? text : `${text}\n\nLeft as they are:\n${leftText(left)}`;
}

/** Returns what the conversation says of files of which a restore could not be undone; Markdown. */
export function undoneText(left: readonly LeftFile[]): string {
  return `The restore was undone, but for these files:\n${leftText(left)}`;
}

function leftText(left: readonly LeftFile[]): string {
  return left
    .map(({ path, why }) => `\n- \`${visibleLine(path, 200).replaceAll("`", "'")}\`: ${why}`)
    .join("");
}
