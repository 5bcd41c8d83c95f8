import type { CommandId } from "../../contributions/commands.js";
import type { ConversationId } from "../../core/ids.js";

/** Something that somebody who looks elsewhere should know. */
export interface Notice {
  /** The same for the same event, also after a reload. Absent: no event is told of twice. */
  readonly key?: string;
  readonly kind: "needsYou" | "done";
  /** The conversation that shows it. Absent: any. */
  readonly conversation?: ConversationId | undefined;
  /** Without model output and links: VS Code would turn parts of it into links. */
  readonly text: string;
  readonly isWarning?: boolean;
  /** Whether the panel does not show it, so that somebody who looks there is told, too. */
  readonly isNotInPanel?: boolean;
  readonly buttons: readonly NoticeButton[];
}

export interface NoticeButton {
  readonly label: string;
  /** The id of a command, which is called with `about`. */
  readonly command: CommandId;
  readonly about?: string;
}
