import { strict as assert } from "node:assert";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import type { LoadedConversation } from "../../../../src/core/conversation/store/journal.js";
import type { ConversationId } from "../../../../src/core/ids.js";
import {
  Conversations,
  type ConversationsOptions,
} from "../../../../src/vscode/workspace/conversations.js";

describe("the conversations of a window", () => {
  const id = "1" as ConversationId;
  const at = "2026-01-01T00:00:00.000Z";
  const said = (text: string): ConversationEvent => ({ type: "user", id: text, at, text });
  const loaded = (...texts: readonly string[]): LoadedConversation => ({
    events: texts.map(said),
    truncated: false,
    foreign: 0,
  });

  it("show the last state of a file, however long an earlier one took to read", async () => {
    let readEarlier: (earlier: LoadedConversation) => void = () => undefined;
    const earlier = new Promise<LoadedConversation>((resolve) => (readEarlier = resolve));
    const journal = {
      flush: () => Promise.resolve(),
      load: () => earlier,
      read: (onRead: () => void) => {
        onRead();
        return Promise.resolve(loaded("one", "two"));
      },
    };
    const conversations = new Conversations({
      newId: () => id,
      kept: { shown: { read: () => undefined, write: () => undefined } },
      store: { journal: () => journal },
      prepare: () => Promise.resolve(),
    } as unknown as ConversationsOptions);
    const reloading = conversations.reload(
      () => true,
      () => undefined,
    );
    const reading = conversations.readAgain(id);
    // If the later read did not wait for its turn, it would end now.
    await new Promise(setImmediate);
    readEarlier(loaded("one"));
    await Promise.all([reloading, reading]);
    const shown = conversations.current.state.items.map((item) => item.id);
    assert.deepEqual(shown, ["one", "two"]);
  });
});
