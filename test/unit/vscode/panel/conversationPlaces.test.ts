import { strict as assert } from "node:assert";
import { ConversationPlaces } from "../../../../src/vscode/panel/conversationPlaces.js";
import { Conversation } from "../../../../src/vscode/workspace/conversation.js";

type Parts = ConstructorParameters<typeof ConversationPlaces>;

describe("what a conversation says about a task", () => {
  it("is shown in the editor that has the conversation, and else in the side bar", async () => {
    const conversation = new Conversation("1");
    conversation.add({
      type: "sessionStarted",
      at: "2026-01-01T00:00:00.000Z",
      taskId: "A",
      mode: "rooroo-developer",
      goal: "Do A",
    });
    for (const isInEditor of [true, false]) {
      const done: string[] = [];
      const does = <T>(what: string, result: T) =>
        Promise.resolve(done.push(what)).then(() => result);
      const conversations = {
        current: conversation,
        open: [conversation],
        show: (id: string) => does(`side bar shows ${id}`, conversation),
      };
      const session = { start: () => Promise.resolve(), conversations };
      const places = new ConversationPlaces(
        { require: () => session } as unknown as Parts[0],
        { reveal: () => does("side bar reveals it", undefined) } as unknown as Parts[1],
        { reveal: () => isInEditor } as unknown as Parts[2],
      );
      assert.equal(await places.showTask("A"), true);
      assert.deepEqual(done, isInEditor ? [] : ["side bar shows 1", "side bar reveals it"]);
      assert.equal(await places.showTask("B"), false);
    }
  });
});
