import type { FromPanel, PanelMethod, PanelParams, PanelResult, ToPanel } from "./messages.js";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The page's end of its requests. Apart from the host's end, so that the schemas stay out of the
 * page's script.
 */
export class RpcClient {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private disposed = false;

  constructor(private readonly post: (message: FromPanel) => void) {}

  /** Rejects with the host's words when it could not be done, and when this is disposed of. */
  request<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M>> {
    if (this.disposed) return Promise.reject(new Error("The panel has been closed."));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.post({ type: "request", id, method, params });
    });
  }

  /** An answer to something that was not asked, or was answered before, is passed over. */
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
