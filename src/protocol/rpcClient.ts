import type { FromPanel, PanelMethod, PanelParams, PanelResult, ToPanel } from "./messages.js";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends the page's requests and takes the responses. It is separate from the host's side, so that the
 * schemas stay out of the page's script.
 */
export class RpcClient {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private disposed = false;

  constructor(private readonly post: (message: FromPanel) => void) {}

  /** Sends a request. Rejects with the host's message if it failed, and when this client is disposed. */
  request<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M>> {
    if (this.disposed) return Promise.reject(new Error("The panel has been closed."));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.post({ type: "request", id, method, params });
    });
  }

  /** Settles the request of a response. Ignores a response to an unknown or already settled request. */
  settle(response: Extract<ToPanel, { type: "response" }>): void {
    const pending = this.pending.get(response.id);
    this.pending.delete(response.id);
    if (response.error === undefined) pending?.resolve(response.result);
    else pending?.reject(new Error(response.error));
  }

  dispose(): void {
    this.disposed = true;
    for (const { reject } of this.pending.values()) {
      reject(new Error("The panel has been closed."));
    }
    this.pending.clear();
  }
}
