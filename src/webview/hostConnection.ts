import type { FromPanel, ToPanel } from "../protocol/messages.js";

/** What the page keeps over a reload. */
export interface KeptState {
  readonly draft: string;
}

interface VsCodeApi {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: KeptState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The page's way to its host; there is one for each load of the page. */
export class HostConnection {
  private readonly api = acquireVsCodeApi();

  post(message: FromPanel): void {
    this.api.postMessage(message);
  }

  /** Whatever is not a message of the host is passed over. */
  listen(onMessage: (message: ToPanel) => void): void {
    window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (isToPanel(data)) onMessage(data);
    });
  }

  get kept(): KeptState {
    const state = this.api.getState();
    const draft =
      typeof state === "object" && state !== null && "draft" in state ? state.draft : undefined;
    return { draft: typeof draft === "string" ? draft : "" };
  }

  keep(state: KeptState): void {
    this.api.setState(state);
  }
}

/** The envelope only: the host is this extension itself. */
function isToPanel(data: unknown): data is ToPanel {
  if (typeof data !== "object" || data === null || !("type" in data)) return false;
  const isObject = (key: string): boolean => {
    const value = (data as Record<string, unknown>)[key];
    return typeof value === "object" && value !== null;
  };
  switch (data.type) {
    case "snapshot":
    case "increment":
    case "status":
      return isObject(data.type);
    case "compose":
      return "text" in data && typeof data.text === "string";
    case "response":
      return "id" in data && typeof data.id === "number";
    default:
      return false;
  }
}
