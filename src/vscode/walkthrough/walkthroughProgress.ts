import * as vscode from "vscode";
import type { WalkthroughStep } from "../../contributions/walkthrough.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import type { PanelStatus } from "../../protocol/messages.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { isModelChosen, isPlanUnderWay, stepDone, walkthroughSteps } from "./walkthroughSteps.js";

interface WalkthroughSources {
  readonly workspace: Pick<CurrentWorkspace, "onDidEmit">;
  readonly status: {
    readonly current: PanelStatus;
    readonly onDidChange: vscode.Event<PanelStatus>;
  };
  readonly tasks: { readonly onDidChange: vscode.Event<Overview> };
  /** Keeps the names of the steps that were done in any window. */
  readonly memento: vscode.Memento;
}

/** The name under which the steps that were done are kept. */
const kept = "walkthrough.done";

/**
 * Ends the walkthrough's steps by what the user has done: sets a context key for each, and one more when a
 * walkthrough may be open, because VS Code regards only keys that change while it shows one.
 */
export class WalkthroughProgress implements vscode.Disposable {
  private readonly ended: Set<WalkthroughStep>;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly sources: WalkthroughSources) {
    const { workspace, status, tasks, memento } = sources;
    const before = memento.get<unknown>(kept);
    this.ended = new Set(
      walkthroughSteps.filter((step) => Array.isArray(before) && before.includes(step)),
    );
    for (const step of this.ended) void setKey(`rooroo.did.${step}`);
    const look = (now: PanelStatus): void => {
      if (isModelChosen(now)) this.end("model");
    };
    this.subscription = vscode.Disposable.from(
      workspace.onDidEmit(({ event }) => {
        const step = stepDone(event);
        if (step !== undefined) this.end(step);
      }),
      status.onDidChange(look),
      tasks.onDidChange((overview) => {
        if (isPlanUnderWay(overview)) this.end("plan");
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        // Walkthroughs are among the editors that extensions are told nothing of.
        if (opened.some(({ input }) => input === undefined))
          void setKey("rooroo.walkthroughOpened");
      }),
    );
    look(status.current);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private end(step: WalkthroughStep): void {
    if (this.ended.has(step)) return;
    this.ended.add(step);
    void this.sources.memento.update(kept, [...this.ended]);
    void setKey(`rooroo.did.${step}`);
  }
}

function setKey(key: string): Thenable<unknown> {
  return vscode.commands.executeCommand("setContext", key, true);
}
