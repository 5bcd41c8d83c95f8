import type { PanelMethod, PanelParams, PanelResult } from "../protocol/messages.js";

/** What a person has done to an item that the host need not know; it outlives the item's nodes. */
export interface ItemView {
  /** Opened or closed by hand; `undefined` follows the item's state. */
  open?: boolean;
  /** An answer is on its way to the host. */
  sent?: boolean;
  /** Shows all of a long preview. */
  whole?: boolean;
  /** Words typed but not sent. */
  draft?: string;
  /** A command as it is being changed. */
  edit?: string | undefined;
  /** A file's proposed text is being changed in an editor. */
  editing?: boolean;
  /** Shows for how long something can be allowed. */
  scopes?: boolean;
  /** The chosen one of what can be allowed. */
  offer?: number;
}

/** What an item's template may use. */
export interface ItemContext {
  readonly view: ItemView;
  /** Changes the view and draws the item anew. */
  readonly change: (change: ItemView) => void;
  /** Asks the host; a refusal is shown to the person, and rejects here too. */
  readonly request: <M extends PanelMethod>(
    method: M,
    params: PanelParams<M>,
  ) => Promise<PanelResult<M>>;
}

/** Sends a decision once: what was pressed stays disabled until the host refuses. */
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
