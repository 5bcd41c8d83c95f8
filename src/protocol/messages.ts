/**
 * Everything that crosses between the editor's host and the panel's page, parsed on receipt on both
 * sides. The page holds no truth: the host sends one snapshot, then numbered increments; a page
 * that sees a gap in the numbers asks for a snapshot again.
 */
import * as z from "zod";
import { deciders } from "../core/agent/events.js";
import { approvalScopes } from "../core/approvals/approver.js";
import { hostCommands } from "../core/conversation/events.js";
import type { Item, UsageTotals } from "../core/conversation/items.js";

/** What the panel shows around the conversation. */
export interface PanelStatus {
  readonly workspace: "open" | "none" | "untrusted";
  readonly model: {
    /** Empty when none is chosen. */
    readonly name: string;
    /** A scripted stand-in, which the panel must call one. */
    readonly demo: boolean;
    readonly ready: boolean;
  };
  /** Something runs here that Stop would stop. */
  readonly busy: boolean;
  readonly queued: number;
  readonly needsYou: number;
  /** Those that somebody runs, here or elsewhere. */
  readonly jobs: readonly {
    readonly name: string;
    /** In percent. */
    readonly progress: number;
    /** Ids of the questions that wait; the work goes on without an answer. */
    readonly questions: readonly string[];
  }[];
  /** Those that go on, here or elsewhere. */
  readonly runs: readonly {
    readonly runId: string;
    /** The beginning of what was asked for. */
    readonly request: string;
    readonly tasks: { readonly total: number; readonly done: number };
    readonly isHere: boolean;
  }[];
  /** Another window or a command line drains this workspace's queue; its description. */
  readonly heldBy: string | null;
  /** When a brainstorm is going on, what is typed goes to it. */
  readonly talkingTo: string | null;
}

export interface Snapshot {
  /** The number of the last increment that is in it. */
  readonly seq: number;
  /** The newest items, oldest first. */
  readonly items: readonly Item[];
  /** How many older ones the host has. */
  readonly earlier: number;
  readonly usage: UsageTotals;
  readonly status: PanelStatus;
}

/**
 * What became of one item. Text that has crossed does not cross again: a patch says what is behind
 * it now.
 */
export type ItemDelta =
  /** A new item, behind the others. */
  | { readonly type: "put"; readonly item: Item }
  | {
      readonly type: "patch";
      readonly id: string;
      /** New values of fields. */
      readonly set?: Readonly<Record<string, unknown>>;
      /** Added to the item's `text`. */
      readonly text?: string;
      /** A tool's `output` loses so many characters at its beginning, then grows by `add`. */
      readonly output?: { readonly drop: number; readonly add: string };
    };

/** One increment: what changed in about one frame. */
export interface Increment {
  readonly seq: number;
  readonly changes: readonly ItemDelta[];
  /** When it is another than before. */
  readonly usage?: UsageTotals;
}

/**
 * Host to page. The host is this extension itself, so the page checks the envelope and trusts the
 * payload's types; everything shown is escaped or sanitised all the same.
 */
export type ToPanel =
  | { readonly type: "snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "increment"; readonly increment: Increment }
  | { readonly type: "status"; readonly status: PanelStatus }
  /**
   * Puts text into the input, before what is there, and the cursor behind it; nothing is sent. An
   * empty text only puts the cursor into the input.
   */
  | { readonly type: "compose"; readonly text: string }
  | {
      readonly type: "response";
      readonly id: number;
      readonly result?: unknown;
      readonly error?: string;
    };

/** What the page may ask of the host: parameters by method. */
export const panelRequests = {
  send: z.object({ text: z.string().max(200_000) }),
  answer: z.object({ questionId: z.string(), taskId: z.string(), text: z.string().max(200_000) }),
  approve: z.object({
    approvalId: z.string(),
    decision: z.discriminatedUnion("type", [
      /** `offer`: the place of what is allowed among the card's offers. */
      z.object({
        type: z.literal("allowed"),
        scope: z.enum(approvalScopes),
        offer: z.int().nonnegative().optional(),
      }),
      /** Without a text: as it is in the editor that `editProposal` opened. */
      z.object({ type: z.literal("edited"), text: z.string().max(200_000).optional() }),
      z.object({ type: z.literal("denied"), reason: z.string().max(10_000).optional() }),
    ]),
  }),
  /** Opens the proposed text of a file in an editor, to be changed there. */
  editProposal: z.object({ approvalId: z.string() }),
  /** Shows where what decided about a call can be changed. */
  openDecider: z.object({ decidedBy: z.enum(deciders) }),
  stop: z.object({}),
  /** One command, by the id of the call that started it; its task goes on. */
  stopCommand: z.object({ callId: z.string() }),
  /** All its runners, wherever they are. */
  stopJob: z.object({ name: z.string().max(200) }),
  /** A workspace path, as the conversation names it. */
  openFile: z.object({ path: z.string().max(4_096), line: z.int().positive().optional() }),
  openLink: z.object({ url: z.string().max(8_192) }),
  /** Shows what a task has changed. */
  reviewChanges: z.object({ taskId: z.string().max(200) }),
  hostCommand: z.object({
    command: z.enum(hostCommands),
    about: z.string().max(200).optional(),
  }),
  /** Answers what a run asks, as it is shown; refused where it asks something else by now. */
  answerProposal: z.object({
    runId: z.string().max(200),
    proposalId: z.string().max(300),
    answer: z.discriminatedUnion("type", [
      z.object({ type: z.literal("CONFIRM") }),
      z.object({ type: z.literal("MODIFY"), words: z.string().max(200_000) }),
      z.object({ type: z.literal("CANCEL") }),
    ]),
  }),
  /** Where it goes on here. */
  stopRun: z.object({ runId: z.string().max(200) }),
  /** Opens a folder, or asks whether to trust the one that is open. */
  openFolder: z.object({}),
  /** Whether the sandbox is to be offered. Result: {@link SandboxOffer}, or `null` for no. */
  sandboxOffer: z.object({}),
  /** Items before the one with this id, oldest first, at most 200. Result: {@link EarlierItems}. */
  earlier: z.object({ before: z.string() }),
  copy: z.object({ text: z.string().max(5_000_000) }),
} as const;
export type PanelMethod = keyof typeof panelRequests;
export type PanelParams<M extends PanelMethod> = z.infer<(typeof panelRequests)[M]>;

/** What a request is answered with, where it is more than that it was carried out. */
interface PanelResults {
  readonly earlier: EarlierItems;
  readonly sandboxOffer: SandboxOffer | null;
}
/** What a person who has not chosen what runs unasked is told of the sandbox. */
export type SandboxOffer =
  /** It works here; as in `bubblewrap 0.8.0`. */
  | { readonly name: string }
  /** Why it does not work here, and what to do. */
  | { readonly reason: string };

export type PanelResult<M extends PanelMethod> = M extends keyof PanelResults
  ? PanelResults[M]
  : undefined;

export interface EarlierItems {
  readonly items: readonly Item[];
  readonly earlier: number;
}

/** Page to host. */
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
