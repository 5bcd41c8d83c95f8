/**
 * The messages between the editor's host and the panel's page, parsed on receipt on both sides. The page
 * is not the source of truth: the host sends one snapshot, then numbered increments; a page that sees a
 * gap in the numbers asks for a snapshot again.
 */
import * as z from "zod";
import { policySources } from "../core/agent/events.js";
import { approvalScopes } from "../core/approvals/approver.js";
import { userActionSchema } from "../core/conversation/userAction.js";
import { hostCommands } from "../core/conversation/hostCommands.js";
import type { Item, UsageTotals } from "../core/conversation/items.js";
import type { RunId } from "../core/ids.js";

/** The state that the panel shows around the conversation. */
export interface PanelStatus {
  readonly workspace: "open" | "none" | "untrusted";
  readonly model: {
    /** The model's name; empty if none is chosen. */
    readonly name: string;
    /** Whether the model is a scripted stand-in, which the panel must label as one. */
    readonly demo: boolean;
    readonly ready: boolean;
  };
  /** Whether something runs here that Stop would stop. */
  readonly busy: boolean;
  readonly queued: number;
  readonly needsYou: number;
  /** The jobs that are running, in this process or in another one. */
  readonly jobs: readonly {
    readonly name: string;
    /** The job's progress in percent. */
    readonly progress: number;
    /** Ids of the unanswered questions; the job continues without the answers. */
    readonly questions: readonly string[];
  }[];
  /** The runs that are in progress, in this process or in another one. */
  readonly runs: readonly {
    readonly runId: RunId;
    /** The beginning of the user's request. */
    readonly request: string;
    readonly tasks: { readonly total: number; readonly done: number };
    readonly runsHere: boolean;
  }[];
  /** The other window or command line that works on this workspace's queue; `null` if there is none. */
  readonly heldBy: string | null;
  /** The expert of the current brainstorm, which receives the user input; `null` if there is none. */
  readonly talkingTo: string | null;
}

export interface Snapshot {
  /** The number of the last increment that the snapshot includes. */
  readonly seq: number;
  /** The newest items, oldest first. */
  readonly items: readonly Item[];
  /** The number of older items that the host has. */
  readonly earlier: number;
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
  | { readonly type: "compose"; readonly text: string }
  | {
      readonly type: "response";
      readonly id: number;
      readonly result?: unknown;
      readonly error?: string;
    };

/** The requests that the page may send to the host: the schema of the parameters by method. */
export const panelRequests = {
  /** Hands on what the user has typed. */
  send: z.object({ text: z.string().max(200_000) }),
  /** Has the Navigator carry out what a button stands for. */
  act: z.object({ action: userActionSchema }),
  /** Answers the question of a task. */
  answer: z.object({ taskId: z.string(), text: z.string().max(200_000) }),
  /** Answers a question of a job, whichever process runs the job. */
  answerJob: z.object({ questionId: z.string(), text: z.string().max(200_000) }),
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
  stop: z.object({}),
  /** Stops one command, by the id of the call that started it; its task continues. */
  stopCommand: z.object({ callId: z.string() }),
  /** Stops all runners of a job, in whichever process they are. */
  stopJob: z.object({ name: z.string().max(200) }),
  /** Opens a file by its workspace path, as the conversation names it. */
  openFile: z.object({ path: z.string().max(4_096), line: z.int().positive().optional() }),
  openLink: z.object({ url: z.string().max(8_192) }),
  /** Shows what a task has changed. */
  reviewChanges: z.object({ taskId: z.string().max(200) }),
  hostCommand: z.object({
    command: z.enum(hostCommands),
    about: z.string().max(200).optional(),
  }),
  /** Answers a run's proposal as the page shows it; refused if the run no longer asks about that proposal. */
  answerProposal: z.object({
    runId: z.string().max(200),
    proposalId: z.string().max(300),
    answer: z.discriminatedUnion("type", [
      z.object({ type: z.literal("CONFIRM") }),
      z.object({ type: z.literal("MODIFY"), words: z.string().max(200_000) }),
      z.object({ type: z.literal("CANCEL") }),
    ]),
  }),
  /** Stops a run that is in progress in this window. */
  stopRun: z.object({ runId: z.string().max(200) }),
  /** Opens a folder, or asks whether to trust the one that is open. */
  openFolder: z.object({}),
  /** Asks whether to offer the sandbox. Result: {@link SandboxOffer}, or `null` for no. */
  sandboxOffer: z.object({}),
  /** Gets at most 200 items before the one with this id, oldest first. Result: {@link EarlierItems}. */
  earlier: z.object({ before: z.string() }),
  copy: z.object({ text: z.string().max(5_000_000) }),
} as const;
export type PanelMethod = keyof typeof panelRequests;
export type PanelParams<M extends PanelMethod> = z.infer<(typeof panelRequests)[M]>;

/** The results of the requests that return something; the others only confirm that they were carried out. */
interface PanelResults {
  readonly earlier: EarlierItems;
  readonly sandboxOffer: SandboxOffer | null;
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
}

/** Messages from page to host. */
export const fromPanel = z.discriminatedUnion("type", [
  /** The page has loaded, or missed an increment, and wants a snapshot. */
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("request"),
    id: z.int(),
    method: z.enum(Object.keys(panelRequests) as [PanelMethod, ...PanelMethod[]]),
    params: z.unknown(),
  }),
]);
export type FromPanel = z.infer<typeof fromPanel>;
