import * as z from "zod/mini";
import type { PanelMethod, PanelParams, PanelResult, ToPanel } from "./messages.js";

/** The handlers of the requests. If one throws or rejects, the page gets the error's message. */
export type PanelHandlers = {
  readonly [M in PanelMethod]: (params: PanelParams<M>) => PanelResult<M> | Promise<PanelResult<M>>;
};

/** A message of the page, as `FromPanel` describes it; method and parameters of a request are still unchecked. */
const fromPanel = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("request"),
    id: z.int(),
    method: z.string().check(z.maxLength(100)),
    params: z.unknown(),
  }),
]);

const unknownRequest = "The panel sent an unknown request. Reload the window.";

/** The host's side: receives the messages of a page, and answers each request exactly once. */
export class RpcHost {
  constructor(
    /** Returns the handlers; called for each request. */
    private readonly handlers: () => Promise<PanelHandlers>,
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
        throw new Error(unknownRequest);
      }
      const result = await this.carryOut(parsed.data.method, parsed.data.params);
      this.post({ type: "response", id, result });
    } catch (error) {
      this.post({ type: "response", id, error: this.errorText(error) });
    }
  }

  private async carryOut(method: string, params: unknown): Promise<unknown> {
    // Loaded with the handlers: a window that nobody uses needs neither.
    const { panelRequests } = await import("./messages.js");
    if (!isMethod(method, panelRequests)) throw new Error(unknownRequest);
    const parsed = panelRequests[method].safeParse(params);
    if (!parsed.success) throw new Error(`${method}: the panel sent an invalid request.`);
    const handler = (await this.handlers())[method] as (params: unknown) => unknown;
    return await handler(parsed.data);
  }
}

function isMethod(
  method: string,
  of: Readonly<Record<PanelMethod, unknown>>,
): method is PanelMethod {
  return Object.hasOwn(of, method);
}

/** Returns the id of an otherwise malformed request. */
function idOf(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  return Number.isSafeInteger(message.id) ? (message.id as number) : undefined;
}
