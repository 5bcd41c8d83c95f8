import { fromPanel, panelRequests } from "./messages.js";
import type { PanelMethod, PanelParams, PanelResult, ToPanel } from "./messages.js";

/** The handlers of the requests. If one throws or rejects, the page gets the error's message. */
export type PanelHandlers = {
  readonly [M in PanelMethod]: (params: PanelParams<M>) => PanelResult<M> | Promise<PanelResult<M>>;
};

/** The host's side: receives the messages of a page, and answers each request exactly once. */
export class RpcHost {
  constructor(
    private readonly handlers: PanelHandlers,
    private readonly post: (message: ToPanel) => void,
    /** Returns the words for an error that a page shows. */
    private readonly errorText: (error: unknown) => string,
    /** Called when the page wants a snapshot. */
    private readonly onReady: () => void,
  ) {}

  /** Handles a message. Resolves when that is done; never rejects. */
  async receive(message: unknown): Promise<void> {
    const parsed = fromPanel.safeParse(message);
    if (parsed.success && parsed.data.type === "ready") {
      this.onReady();
      return;
    }
    const id = parsed.success && parsed.data.type === "request" ? parsed.data.id : idOf(message);
    if (id === undefined) return;
    try {
      if (!parsed.success || parsed.data.type !== "request") {
        throw new Error("The panel sent an unknown request. Reload the window.");
      }
      const result = await this.carryOut(parsed.data.method, parsed.data.params);
      this.post({ type: "response", id, result });
    } catch (error) {
      this.post({ type: "response", id, error: this.errorText(error) });
    }
  }

  private async carryOut(method: PanelMethod, params: unknown): Promise<unknown> {
    const parsed = panelRequests[method].safeParse(params);
    if (!parsed.success) throw new Error(`${method}: the panel sent an invalid request.`);
    const handler = this.handlers[method] as (params: unknown) => unknown;
    return await handler(parsed.data);
  }
}

/** Returns the id of an otherwise malformed request. */
function idOf(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  return Number.isSafeInteger(message.id) ? (message.id as number) : undefined;
}
