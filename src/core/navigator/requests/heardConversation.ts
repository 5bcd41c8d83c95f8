import type { ConversationEvent } from "../../conversation/events/events.js";
import type { Attachment } from "../../conversation/input/attachment.js";
import { openAfter, type OpenMatters } from "./openMatters.js";

/** The number of recent lines of the conversation that are kept for triage. */
const remembered = 6;

/** The number of checkpoints to which what was heard can be taken back exactly. */
const mostMarks = 200;

/** What has been heard of a conversation. */
interface Heard {
  readonly recent: readonly { who: "user" | "navigator"; text: string }[];
  readonly inputs: readonly string[];
  readonly attached: readonly Attachment[];
  readonly hasAsked: boolean;
  readonly open: OpenMatters;
  readonly marks: readonly Mark[];
}

/** What had been heard before a message of the user, or before a task began. */
interface Mark {
  /** The id of the message or the task. */
  readonly id: string;
  readonly at: string;
  readonly heard: Omit<Heard, "marks">;
}

type EventOf<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;

/** What triage needs of a conversation to understand the next request, kept from its events. */
export class HeardConversation {
  #recent: { who: "user" | "navigator"; text: string }[] = [];
  /** The user's words of the latest request, with the Navigator's questions about it and their answers. */
  #inputs: string[] = [];
  /** What was attached to these words. */
  #attached: readonly Attachment[] = [];
  /** Whether the Navigator has asked about the request, so that the next words belong to it. */
  #hasAsked = false;
  #open: OpenMatters = [];
  /** What was heard before each of the latest messages and beginnings of tasks, oldest first. */
  #marks: Mark[] = [];
  /** What was heard when something was taken back, by the restore's id. */
  readonly #takenBack = new Map<string, Heard>();

  /** Forgets what {@link remember} was told. */
  forget(): void {
    this.#hear({ recent: [], inputs: [], attached: [], hasAsked: false, open: [], marks: [] });
    this.#takenBack.clear();
  }

  get #heard(): Heard {
    return {
      recent: [...this.#recent],
      inputs: this.#inputs,
      attached: this.#attached,
      hasAsked: this.#hasAsked,
      open: this.#open,
      marks: this.#marks,
    };
  }

  #hear({ recent, inputs, attached, hasAsked, open, marks }: Heard): void {
    this.#recent = [...recent];
    this.#inputs = [...inputs];
    this.#attached = attached;
    this.#hasAsked = hasAsked;
    this.#open = open;
    this.#marks = [...marks];
  }

  /** Forgets what was heard from the checkpoint on to which the conversation is restored. */
  #takeBack({ restoreId, checkpoint }: EventOf<"restored">): void {
    const before = this.#heard;
    const known = this.#marks.findIndex(({ id }) => id === checkpoint.id);
    const index = known < 0 ? this.#marks.findIndex(({ at }) => at >= checkpoint.at) : known;
    const mark = this.#marks[index];
    const marks = this.#marks.slice(0, Math.max(0, index));
    if (mark === undefined) this.forget();
    else this.#hear({ ...mark.heard, marks });
    this.#takenBack.set(restoreId, before);
  }

  /** The latest lines before the request that is judged, oldest first. */
  get recent(): Heard["recent"] {
    return this.#recent.slice(0, -1);
  }

  /** What the conversation leaves open. */
  get open(): OpenMatters {
    return this.#open;
  }

  /** Returns a request with what belongs to it: what the Navigator has asked about it, and its answers. */
  whole(text: string):
    | {
        readonly text: string;
        readonly attached: readonly Attachment[];
        /** Whether the Navigator has asked about it, and this is said to that. */
        readonly isReply: boolean;
      }
    | undefined {
    // The answer to a question alone would not say what it is about.
    if (this.#inputs.at(-1) !== text) return undefined;
    const isReply = this.#inputs.length > 1;
    return { text: this.#inputs.join("\n\n"), attached: this.#attached, isReply };
  }

  /** Keeps the events that triage needs to understand the next request. */
  remember(event: ConversationEvent): void {
    if (event.type === "restored" && event.scope !== "files") this.#takeBack(event);
    if (event.type === "restoreUndone") {
      const before = this.#takenBack.get(event.restoreId);
      if (before !== undefined) this.#hear(before);
      this.#takenBack.delete(event.restoreId);
    }
    if (event.type === "user" || event.type === "sessionStarted") {
      const { marks, ...heard } = this.#heard;
      const id = event.type === "user" ? event.id : event.taskId;
      this.#marks = [...marks.slice(1 - mostMarks), { id, at: event.at, heard }];
    }
    this.#open = openAfter(this.#open, event);
    if (event.type === "user") {
      const attached = event.attachments?.map(({ attachment }) => attachment) ?? [];
      this.#inputs = this.#hasAsked ? [...this.#inputs, event.text] : [event.text];
      this.#attached = this.#hasAsked ? [...this.#attached, ...attached] : attached;
      this.#hasAsked = false;
    } else if (event.type === "question" && event.taskId === null) {
      this.#inputs.push(`(Asked about this: ${event.text})`);
      this.#hasAsked = true;
    }
    if (event.type === "user") this.#recent.push({ who: "user", text: event.text.slice(0, 500) });
    else if (event.type === "question" || event.type === "sessionEnded") {
      const text = event.type === "question" ? event.text : `${event.taskId}: ${event.message}`;
      this.#recent.push({ who: "navigator", text: text.slice(0, 300) });
    }
    this.#recent.splice(0, this.#recent.length - remembered);
  }
}
