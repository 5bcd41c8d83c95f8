import type { PanelMethod, PanelParams, PanelResult } from "../../protocol/messages.js";

/** The user's view state of an item, which the host need not know; it outlives the item's nodes. */
export interface ItemView {
  /** Whether the user has opened or closed the item. Absent: the item's state decides. */
  open?: boolean;
  /** Whether a decision was sent to the host, which has not refused it. */
  sent?: boolean;
  /** Whether all of a long diff is shown. */
  whole?: boolean;
  /** Text that the user has typed but not sent. */
  draft?: string;
  /** The words that were sent with a decision. */
  sentWords?: string;
  /** Whether the field for why the user denies is shown. */
  saying?: boolean;
  /** The command as the user is editing it. */
  edit?: string | undefined;
  /** Whether the user is changing a file's proposed text in an editor, or a run's proposal. */
  editing?: boolean;
  /** Whether the choice of how long to allow an action is shown. */
  scopes?: boolean;
  /** The index of the chosen permission. */
  option?: number;
  /** The task of a plan that the user is editing or, without an id, is about to add. */
  planForm?: PlanForm | undefined;
  /** The `data-focus` of the element in this item that has the focus, or gets it when it is drawn next. */
  focus?: string | undefined;
}

interface PlanForm {
  readonly taskId: string | null;
  /** What the task was when the user began to edit it. */
  readonly was: { readonly mode: string; readonly goal: string };
  readonly mode: string;
  readonly goal: string;
  /** Slugs of the experts to choose from. */
  readonly experts: readonly string[];
}

/** The state and callbacks that an item's template may use. */
export interface ItemContext {
  readonly view: ItemView;
  /** Changes the view and redraws the item. */
  readonly change: (change: ItemView) => void;
  /** Sends a request to the host; a refusal is shown to the user, and also rejects the promise. */
  readonly request: <M extends PanelMethod>(
    method: M,
    params: PanelParams<M>,
  ) => Promise<PanelResult<M>>;
}

/** Shows a field that gets the focus: a frame later, so that the key that asks for it is not typed into it. */
export function afterKey(show: () => void): void {
  requestAnimationFrame(show);
}

/** Sends a decision once: its buttons stay disabled unless the host refuses it. */
export function sendOnce<M extends PanelMethod>(
  context: ItemContext,
  method: M,
  params: PanelParams<M>,
): void {
  if (context.view.sent) return;
  context.change({ sent: true });
  context.request(method, params).catch(() => {
    context.change({ sent: false });
  });
}
