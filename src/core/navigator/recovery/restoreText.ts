import type { ConversationEvent, RestoreScope } from "../../conversation/events/events.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, type Words, words } from "../../text/words.js";

type Restored = Extract<ConversationEvent, { type: "restored" }>;

/** A file that a restore has left as it is. */
export interface LeftFile {
  readonly path: string;
  readonly why: Said;
}

/** Returns what the conversation says as long as a restore has not ended. */
export function unfinishedText(scope: RestoreScope, goal: string): Words {
  const title = visibleLine(goal, 80);
  switch (scope) {
    case "files":
      return words("Restoring the files to before “{title}” has not finished.", { title });
    case "conversation":
      return words("Restoring the conversation to before “{title}” has not finished.", { title });
    case "both":
      return words(
        "Restoring the files and the conversation to before “{title}” has not finished.",
        { title },
      );
  }
}

/** Returns what the conversation says of a restore that has ended; Markdown. */
export function restoredText(
  { scope, checkpoint, returning }: Restored,
  files: number,
  left: readonly LeftFile[],
): Words {
  const parts: Said[] = [whatWords(scope, visibleLine(checkpoint.title, 80))];
  if (scope !== "conversation") {
    parts.push(words("{files, plural, one {# file} other {# files}} restored.", { files }));
  }
  const tasks = returning.length;
  if (tasks > 0) {
    parts.push(
      words(
        "{tasks, plural, one {# task is queued again and waits} other {# tasks are queued again and wait}} until you proceed.",
        { tasks },
      ),
    );
  }
  const said = parts.flatMap((part, index) => (index === 0 ? [part] : [" ", part]));
  if (left.length === 0) return joined(...said);
  return joined(...said, "\n\n", words("Left as they are:"), "\n", ...leftText(left));
}

function whatWords(scope: RestoreScope, title: string): Words {
  switch (scope) {
    case "files":
      return words("Restored the files to before “{title}”.", { title });
    case "conversation":
      return words("Restored the conversation to before “{title}”.", { title });
    case "both":
      return words("Restored the files and the conversation to before “{title}”.", { title });
  }
}

/** Returns what the conversation says of files of which a restore could not be undone; Markdown. */
export function undoneText(left: readonly LeftFile[]): Words {
  return joined(words("The restore was undone, but for these files:"), "\n", ...leftText(left));
}

function leftText(left: readonly LeftFile[]): Said[] {
  return left.flatMap(({ path, why }) => [
    `\n- \`${visibleLine(path, 200).replaceAll("`", "'")}\`: `,
    why,
  ]);
}
