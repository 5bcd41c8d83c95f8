import type { FromPanel, ToPanel } from "../protocol/messages.js";

/** The state that the page keeps across reloads. */
export interface KeptState {
  readonly draft: string;
}

interface VsCodeApi {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: KeptState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The page's connection to its host; only one can be created per load of the page. */
export class HostConnection {
  private readonly api = acquireVsCodeApi();

  post(message: FromPanel): void {
    this.api.postMessage(message);
  }

  /** Calls `onMessage` with each message of the host; ignores other messages. */
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

/** Checks only the envelope: the host is this extension itself. */
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
