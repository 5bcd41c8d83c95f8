import type { FromPanel, ToPanel } from "../protocol/messages.js";

/** The state that the page keeps across reloads. What is typed is not a part of it: the host keeps that. */
export interface KeptState {
  /** The conversation that the page shows; an editor is restored with it. */
  readonly conversation: string;
  /** What of the changes above the input the user has dismissed; see `pillKey`. */
  readonly dismissed: string;
  /** What a request becomes: `auto`, or an expert's slug. */
  readonly mode: string;
  /** Earlier inputs, oldest first. */
  readonly inputs: readonly string[];
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
    const kept: Partial<Record<keyof KeptState, unknown>> =
      typeof state === "object" && state !== null ? state : {};
    const { conversation, dismissed, mode, inputs } = kept;
    const list: readonly unknown[] = Array.isArray(inputs) ? inputs : [];
    return {
      conversation: typeof conversation === "string" ? conversation : "",
      dismissed: typeof dismissed === "string" ? dismissed : "",
      mode: typeof mode === "string" ? mode : "auto",
      inputs: list.filter((one) => typeof one === "string"),
    };
  }

  /** Keeps this, beside what is kept already. */
  keep(state: Partial<KeptState>): void {
    this.api.setState({ ...this.kept, ...state });
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
    case "decide":
      return "decision" in data && (data.decision === "allow" || data.decision === "deny");
    case "openMenu":
      return "menu" in data && typeof data.menu === "string";
    case "compose":
      return "text" in data && typeof data.text === "string";
    case "reveal":
      return "itemId" in data && typeof data.itemId === "string";
    case "response":
      return "id" in data && typeof data.id === "number";
    default:
      return false;
  }
}
