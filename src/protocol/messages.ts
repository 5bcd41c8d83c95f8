/**
 * The messages between the editor's host and the panel's page, parsed on receipt on both sides. The page
 * is not the source of truth: the host sends one snapshot, then numbered increments; a page that sees a
 * gap in the numbers asks for a snapshot again.
 */
import * as z from "zod";
import { policySources } from "../core/agent/events.js";
import { type ApprovalPreset, approvalPresets } from "../core/approvals/approvalRules.js";
import { approvalScopes } from "../core/approvals/approver.js";
import { hostCommands } from "../core/conversation/events/hostCommands.js";
import { longWorkSchema } from "../core/conversation/events/longWorkSchema.js";
import {
  type Attachment,
  attachmentSchema,
  attachmentsSchema,
  type ShownAttachment,
} from "../core/conversation/input/attachment.js";
import { type Draft, draftSchema } from "../core/conversation/input/draft.js";
import { planEditSchema } from "../core/conversation/input/planEdit.js";
import type { ArgumentKind } from "../core/conversation/input/slashCommands.js";
import { userActionSchema } from "../core/conversation/input/userAction.js";
import type { Item, UsageTotals } from "../core/conversation/state/items.js";
import { conversationIdPattern } from "../core/conversation/store/conversationFile.js";
import type { LongWork, ConversationId, TaskId } from "../core/ids.js";
import { keptImagePattern } from "../core/images/keptImagePath.js";
import type { ExpertChoice } from "../core/navigator/overview/overview.js";
import type { WorkProgress } from "../core/work/work.js";

/** The state that the panel shows around the conversation. */
export interface PanelStatus {
  readonly workspace: "open" | "none" | "untrusted";
  readonly model: {
    /** The model's name; empty if none is chosen, or if the profile in use is not defined. */
    readonly name: string;
    /** The name of the profile in use, if one is. */
    readonly profile?: string;
    /** Whether the model is a scripted stand-in, which the panel must label as one. */
    readonly demo: boolean;
    readonly ready: boolean;
    /** Set if the model is known to see no images. */
    readonly blind?: true;
    /** Set if the model has turned out to have no tool calling, so that it is talked to in envelopes. */
    readonly toolless?: true;
  };
  /** Whether something runs here that Stop would stop. */
  readonly busy: boolean;
  readonly queued: number;
  /** The number of things that wait for the user, in all conversations. */
  readonly needsYou: number;
  /** The approvals that wait in this window. */
  readonly approvals: number;
  /** The long work that is under way, in this process or in another one: jobs, then runs. */
  readonly works: readonly WorkAtWork[];
  /** The other window or command line that works on this workspace's queue; `null` if there is none. */
  readonly heldBy: string | null;
  /** Those of them that wait in other conversations, and the conversation of the first; `null` if there are none. */
  readonly elsewhere: { readonly count: number; readonly conversation: ConversationId } | null;
  /** The expert of the current brainstorm, which receives the user input; `null` if there is none. */
  readonly talkingTo: string | null;
  /**
   * What the last task or plan has changed and nobody has kept, reverted or undone; `null` if there is nothing.
   * `id`: the task's or the plan's; `report`: the id of the task's report, or of the plan's last one; `added` and
   * `removed`: numbers of lines.
   */
  readonly changes: {
    readonly id: string;
    readonly goal: string;
    readonly report: string;
    readonly files: number;
    readonly added: number;
    readonly removed: number;
  } | null;
  /** The preset for what runs without approval. */
  readonly preset: ApprovalPreset;
  /** Whether plans work in worktrees, unless a request says otherwise. */
  readonly isolated: boolean;
  /** The number of plans in worktrees. */
  readonly places: number;
  /** The user's own experts, to which a request may be given. */
  readonly experts: readonly ExpertChoice[];
  /**
   * The experts that work now, in whichever process: those of jobs and runs, then those of tasks, each oldest first.
   * What is typed goes to the last one, unless the user chooses another.
   */
  readonly atWork: readonly ExpertAtWork[];
  /** The user's messages to experts that have not been delivered, oldest first. */
  readonly pending: readonly PendingView[];
}

export type { ExpertChoice };

/** What completes commands and their arguments. */
export type Completions = Readonly<
  Record<ArgumentKind, readonly { readonly value: string; readonly label: string }[]>
> & {
  /** The workspace's own commands. */
  readonly commands: readonly {
    readonly name: string;
    readonly description: string;
    readonly hint: string;
  }[];
};

/** A job or a run that a process works on. */
export interface WorkAtWork {
  readonly ref: LongWork;
  /** The beginning of what a person calls it. */
  readonly title: string;
  readonly progress: WorkProgress;
  /** Ids of the unanswered questions; the work goes on without the answers. */
  readonly questions: readonly string[];
}

export interface ExpertAtWork {
  readonly taskId: TaskId;
  /** The mode's slug. */
  readonly mode: string;
  /** The beginning of the task's goal. */
  readonly goal: string;
  /** The job or run that it works for. Absent: a task. */
  readonly work?: LongWork;
}

export interface PendingView {
  readonly id: string;
  readonly taskId: TaskId;
  /** The mode's slug; `""` for a job or run none of whose agents has the message. */
  readonly mode: string;
  readonly text: string;
  /** The job or run to whose agent it was written. Absent: a task. */
  readonly work?: LongWork;
  /**
   * When the message is delivered: before the expert's next turn, after its question or approval is decided, when the
   * task is resumed or comes up, when the next agent of the job or run begins, or never, because the work has ended.
   */
  readonly when: "nextTurn" | "decided" | "resumed" | "nextAgent" | "never";
}

export interface Snapshot {
  /** The conversation that the page now shows. */
  readonly conversation: ConversationId;
  /** What is typed in it and not sent; it counts only for a page that did not show the conversation before. */
  readonly draft: Draft;
  /** The number of the last increment that the snapshot includes. */
  readonly seq: number;
  /** The newest items, oldest first. */
  readonly items: readonly Item[];
  /** The number of older items that the host has. */
  readonly earlier: number;
  /** Whether there are still older ones, which the host has not read. */
  readonly hasMore: boolean;
  readonly usage: UsageTotals;
  readonly status: PanelStatus;
}

/**
 * A change of one item. Text that has been sent is not sent again: a patch has only what was added after
 * it.
 */
export type ItemDelta =
  /** A new item, after the others. */
  | { readonly type: "put"; readonly item: Item }
  | {
      readonly type: "patch";
      readonly id: string;
      /** New values of fields. */
      readonly set?: Readonly<Record<string, unknown>>;
      /** Text to append to the item's `text`. */
      readonly text?: string;
      /** A tool's `output` loses `drop` characters at its beginning; then `add` is appended. */
      readonly output?: { readonly drop: number; readonly add: string };
    };

/** An increment: the changes of about one frame. */
export interface Increment {
  readonly seq: number;
  readonly changes: readonly ItemDelta[];
  /** The new totals. Absent: unchanged. */
  readonly usage?: UsageTotals;
}

/**
 * Messages from host to page. The host is this extension itself, so the page checks the envelope and trusts
 * the payload's types; everything shown is escaped or sanitised all the same.
 */
export type ToPanel =
  | { readonly type: "snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "increment"; readonly increment: Increment }
  | { readonly type: "status"; readonly status: PanelStatus }
  /**
   * Inserts text into the input, before the text that is there, and puts the cursor after it; sends
   * nothing. An empty text only puts the cursor into the input.
   */
  | {
      readonly type: "compose";
      readonly text: string;
      /** Attached in addition. Absent: nothing. */
      readonly attachments?: readonly ShownAttachment[];
    }
  /** Decides about the approval that the page shows above its input, as the buttons there do. */
  | { readonly type: "decide"; readonly decision: "allow" | "deny" }
  /** Opens one of the menus below the input. */
  | { readonly type: "openMenu"; readonly menu: "mode" | "approvals" }
  /** Scrolls to an item and marks it for a moment; the focus stays where it is, such as in a list. */
  | { readonly type: "reveal"; readonly itemId: string }
  | {
      readonly type: "response";
      readonly id: number;
      readonly result?: unknown;
      readonly error?: string;
    };

/** The kinds of things that are searched for behind an `@`. */
const mentionKinds = ["path", "symbol", "commit", "task", "resource"] as const;
export type MentionKind = (typeof mentionKinds)[number];

/** The requests that the page may send to the host: the schema of the parameters by method. */
export const panelRequests = {
  /** Shows a new conversation in this panel. */
  newConversation: z.object({}),
  /** Shows a conversation in the side bar. */
  showConversation: z.object({ conversation: z.string().regex(conversationIdPattern) }),
  /** Keeps what is typed and not sent in a conversation; its id is `""` where nothing can be worked on. */
  keepDraft: z.object({
    ...draftSchema.shape,
    conversation: z.union([z.literal(""), z.string().regex(conversationIdPattern)]),
  }),
  /**
   * Restores files, the conversation, or both to before a message or a task of a plan, by its id, as the user chooses and
   * confirms.
   */
  restore: z.object({ checkpoint: z.string().max(200) }),
  /**
   * Hands on what the user has typed, and what is attached to it. Result: whether it was taken; `false` if the user did
   * not confirm that the message which it edits is taken back.
   */
  send: z.object({
    text: z.string().max(200_000),
    attachments: z.optional(attachmentsSchema),
    /** The slug of the expert that the user has chosen for requests. Absent: triage decides. */
    expert: z.string().max(200).optional(),
    /** Whether its plan works in a worktree. Absent: the setting says. */
    isolated: z.boolean().optional(),
    /** The id of the message in whose place it is sent: the conversation is restored to before that one. */
    edits: z.string().max(200).optional(),
  }),
  /** Tells the expert at work on a task something; if the task has ended meanwhile, it becomes a request. */
  tell: z.object({
    taskId: z.string().max(200),
    text: z.string().max(200_000),
    attachments: z.optional(attachmentsSchema),
  }),
  /** Changes a message that has not been delivered; it answers with an error if it has. */
  changeMessage: z.object({
    taskId: z.string().max(200),
    id: z.string().max(100),
    text: z.string().max(200_000),
  }),
  removeMessage: z.object({ taskId: z.string().max(200), id: z.string().max(100) }),
  /** Makes a request of a message that was not delivered. */
  requestMessage: z.object({ taskId: z.string().max(200), id: z.string().max(100) }),
  /** Keeps an image that was pasted or dropped. `data`: base64. Result: {@link ShownAttachment}. */
  attachImage: z.object({ name: z.string().max(500), data: z.base64().max(7_000_000) }),
  /** Judges files and folders that were dropped. Result: {@link AttachedPlaces}. */
  attachUris: z.object({ uris: z.array(z.string().max(4_096)).max(50) }),
  /** Lets the user choose files, folders and images in a dialog. Result: {@link AttachedPlaces}. */
  pickAttachments: z.object({}),
  /** Gets what the text behind an `@` could mean, the best first. Result: an array of {@link Mention}. */
  mentions: z.object({ of: z.enum(mentionKinds), query: z.string().max(200) }),
  /** Gets the text that is selected in the terminal. Result: {@link Attachment}. */
  terminalText: z.object({}),
  /** Gets an attached image as a `data:` address; `null` if it is not there. */
  picture: z.object({ path: z.string().regex(keptImagePattern) }),
  openAttachment: z.object({ attachment: attachmentSchema }),
  /** Has the Navigator carry out what a button stands for. */
  act: z.object({ action: userActionSchema }),
  /** Answers the question of a task. */
  answer: z.object({ taskId: z.string(), text: z.string().max(200_000) }),
  /**
   * Answers what long work asks, whichever process works on it. `id`: the question's or the proposal's, as the page shows it;
   * refused if that is not asked any more.
   */
  answerWork: z.object({
    ref: longWorkSchema,
    id: z.string().max(300),
    answer: z.discriminatedUnion("type", [
      z.object({ type: z.literal("TEXT"), text: z.string().max(200_000) }),
      z.object({ type: z.literal("CONFIRM") }),
      z.object({ type: z.literal("MODIFY"), words: z.string().max(200_000) }),
      z.object({ type: z.literal("CANCEL") }),
    ]),
  }),
  approve: z.object({
    approvalId: z.string(),
    decision: z.discriminatedUnion("type", [
      /** `option`: the index of the chosen permission among the approval's options. */
      z.object({
        type: z.literal("allowed"),
        scope: z.enum(approvalScopes),
        option: z.int().nonnegative().optional(),
      }),
      /** Absent `text`: the text that is in the editor that `editProposal` opened. */
      z.object({ type: z.literal("edited"), text: z.string().max(200_000).optional() }),
      z.object({ type: z.literal("denied"), reason: z.string().max(10_000).optional() }),
    ]),
  }),
  /** Opens the proposed text of a file in an editor, to be changed there. */
  editProposal: z.object({ approvalId: z.string() }),
  /** Opens the setting, or the list of approvals, that decided about a call. */
  openDecider: z.object({ decidedBy: z.enum(policySources) }),
  /** Changes, starts or pauses a plan. */
  editPlan: z.object({ planId: z.string().max(200), edit: planEditSchema }),
  /** Gets the slugs of the experts to which a plan's tasks can be given. */
  experts: z.object({}),
  stop: z.object({}),
  /** Stops one command, by the id of the call that started it; its task continues. */
  stopCommand: z.object({ callId: z.string() }),
  /** Stops long work, in whichever process it is at work. */
  stopWork: z.object({ ref: longWorkSchema }),
  /** Opens a file by its workspace path, as the conversation names it. */
  openFile: z.object({ path: z.string().max(4_096), line: z.int().positive().optional() }),
  openLink: z.object({ url: z.string().max(8_192) }),
  /** Shows what a task has changed. */
  reviewChanges: z.object({ taskId: z.string().max(200) }),
  /** Undoes what a task or a plan has changed, after the user's confirmation. */
  undoChanges: z.object({ taskId: z.string().max(200) }),
  hostCommand: z.object({
    command: z.enum(hostCommands),
    about: z.string().max(200).optional(),
  }),
  /** Sets what runs without approval, in the user's own settings. */
  setApprovals: z.object({ preset: z.enum(approvalPresets) }),
  /** Finds out whether commands can be sandboxed here. Result: {@link SandboxOffer}. */
  sandboxAbility: z.object({}),
  /** Gets what completes commands at this moment. Result: {@link Completions}. */
  completions: z.object({}),
  /**
   * Gets the prompts of MCP servers, as commands. `waits`: for all servers, which may have to start first; otherwise soon,
   * without those that have not answered. Result: as in {@link Completions}.
   */
  prompts: z.object({ waits: z.boolean() }),
  /** Opens a folder, or asks whether to trust the one that is open. */
  openFolder: z.object({}),
  /** Asks whether to offer the sandbox. Result: {@link SandboxOffer}, or `null` for no. */
  sandboxOffer: z.object({}),
  /**
   * Gets at most 200 items before the one with this id, oldest first. Result: {@link EarlierItems}. If the host has to
   * read them first, it posts a snapshot with them before.
   */
  earlier: z.object({ before: z.string() }),
  /** Gets the texts of items that the page has without them. Result: by id; items that are gone are left out. */
  texts: z.object({ ids: z.array(z.string()).check(z.maxLength(200)) }),
  copy: z.object({ text: z.string().max(5_000_000) }),
  /** Inserts text at the cursor of the text editor that was last active. Result: the file's name. */
  insert: z.object({ text: z.string().max(5_000_000) }),
  /** Tells whether the page has the keyboard's focus. */
  panelFocus: z.object({ focused: z.boolean() }),
} as const;
export type PanelMethod = keyof typeof panelRequests;
export type PanelParams<M extends PanelMethod> = z.infer<(typeof panelRequests)[M]>;

/** The results of the requests that return something; the others only confirm that they were carried out. */
interface PanelResults {
  readonly send: boolean;
  readonly earlier: EarlierItems;
  readonly texts: Readonly<Record<string, string>>;
  readonly sandboxOffer: SandboxOffer | null;
  readonly experts: readonly string[];
  readonly attachImage: ShownAttachment;
  readonly attachUris: AttachedPlaces;
  readonly pickAttachments: AttachedPlaces;
  readonly picture: string | null;
  readonly mentions: readonly Mention[];
  readonly terminalText: Attachment;
  readonly sandboxAbility: SandboxOffer;
  readonly completions: Completions;
  readonly prompts: Completions["commands"];
  readonly insert: string;
}

/** Something that can be attached, as a list of them shows it. */
export interface Mention {
  readonly name: string;
  /** As in the folder of a file. */
  readonly description: string;
  readonly attachment: Attachment;
}

/** What became of files and folders that the user wants to attach. */
export interface AttachedPlaces {
  readonly attachments: readonly ShownAttachment[];
  /** Why others cannot be attached at all. Absent: there are none. */
  readonly problem?: string;
}

/** The facts about the sandbox for a user who has not chosen an approval preset yet. */
export type SandboxOffer =
  /** The name of the sandbox, which works here, as in `bubblewrap 0.8.0`. */
  | { readonly name: string }
  /** The reason why the sandbox does not work here, and what to do. */
  | { readonly reason: string };

export type PanelResult<M extends PanelMethod> = M extends keyof PanelResults
  ? PanelResults[M]
  : undefined;

export interface EarlierItems {
  readonly items: readonly Item[];
  readonly earlier: number;
  readonly hasMore: boolean;
}

/** Messages from page to host. */
export type FromPanel =
  /** The page has loaded, or missed an increment, and wants a snapshot. */
  | { readonly type: "ready" }
  | {
      readonly type: "request";
      readonly id: number;
      readonly method: PanelMethod;
      readonly params: unknown;
    };
