import assert from "node:assert/strict";
import { noDocuments } from "../../../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import type { Item } from "../../../../src/core/conversation/state/items.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { settle } from "../../../../src/core/conversation/state/settle.js";
import { ConversationStore } from "../../../../src/core/conversation/store/conversationStore.js";
import type { Checkpoints } from "../../../../src/core/navigator/recovery/checkpoints.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import type { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

/** The conversation of {@link RestoreStage}. */
export const place = "20260102-000000-aaaaaa";

/** A Navigator whose events are written, as an editor does, and restores in its conversation. */
export class RestoreStage {
  readonly stage: NavigatorStage;
  readonly conversations: ConversationStore;
  readonly points: Checkpoints;

  constructor(
    scripts: readonly ModelScript[],
    files: MemoryFileSystem | Record<string, string>,
    clock = new ManualClock(),
  ) {
    this.stage = new NavigatorStage(scripts, { files, clock });
    const { files: disk, navigator } = this.stage;
    const signer = new PlainSigner();
    this.conversations = new ConversationStore(disk, signer, () => undefined);
    const world = { files: disk, signer, documents: noDocuments, clock };
    this.points = navigator.checkpoints(place, {
      changes: new TaskChanges(world, ".rooroo/tasks"),
      conversations: this.conversations,
      mayWrite: () => Promise.resolve(true),
    });
    // Whatever is told is on its way to the disk before the next step.
    this.stage.emitTo = (event) => {
      this.conversations.append(place, event);
    };
  }

  /** Says something a second later, and returns the message's id. */
  async say(text: string): Promise<string> {
    this.stage.clock.advance(1000);
    await this.stage.navigator.say(text, place);
    // What triage has used is told of no task.
    const { publisher } = this.stage.dependencies;
    publisher.in(place).agent("", { type: "usage", usage: null });
    this.stage.clock.advance(1000);
    await this.conversations.flush();
    const said = this.stage.events.findLast((event) => event.type === "user");
    assert.ok(said?.type === "user");
    return said.id;
  }

  /** Returns what a panel shows that reads the conversation's file. */
  async shown(): Promise<Item[]> {
    await this.conversations.flush();
    const state = newConversation();
    const { events } = await this.conversations.journal(place).load();
    for (const event of events) applyEvent(state, event);
    settle(state);
    return state.items;
  }

  /** Returns the user's messages and the notices that are shown. */
  async lines(): Promise<string[]> {
    return (await this.shown()).flatMap((item) =>
      item.kind === "user" || item.kind === "notice" ? [item.text] : [],
    );
  }

  text(path: string): string | undefined {
    return this.stage.files.text(path);
  }
}

/** Returns what a model does that reads a file, writes it, and says so. */
export function writes(path: string, content: string): ModelScript[] {
  return [
    calls("read_file", { path }),
    calls("write_to_file", { path, content }),
    completes({ message: `Wrote ${path}` }),
  ];
}
