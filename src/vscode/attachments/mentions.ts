import type * as vscode from "vscode";
import type { Mention, MentionKind } from "../../protocol/messages.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { MentionSource } from "./mentionSource.js";

/** What a person can mention; what finds it is loaded at the first question. */
export class Mentions implements vscode.Disposable {
  private source: Promise<MentionSource> | undefined;

  constructor(private readonly workspace: CurrentWorkspace) {}

  async find(of: MentionKind, query: string): Promise<readonly Mention[]> {
    this.source ??= this.load();
    return (await this.source).find(of, query);
  }

  dispose(): void {
    void this.source?.then((source) => {
      source.dispose();
    });
  }

  private async load(): Promise<MentionSource> {
    const { MentionSource } = await import("./mentionSource.js");
    return new MentionSource(this.workspace);
  }
}
