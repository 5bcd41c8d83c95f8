import type { PanelMethod, PanelParams, PanelResult } from "../protocol/messages.js";

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
  /** The command as the user is editing it. */
  edit?: string | undefined;
  /** Whether the user is changing a file's proposed text in an editor, or a run's proposal. */
  editing?: boolean;
  /** Whether the choice of how long to allow an action is shown. */
  scopes?: boolean;
  /** The index of the chosen permission. */
  option?: number;
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
