import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ShownConversation } from "../../src/node/user/shownConversation.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("the conversation that the side bar has shown", () => {
  const folder = temporaryFolder();

  it("is read where its file has an id, and not where it has other text or is not there", async () => {
    const shown = () => new ShownConversation(folder.path, undefined).read();
    assert.equal(shown(), undefined);
    for (const [text, id] of [
      ["0198c0de-1111-7000-8000-000000000000", "0198c0de-1111-7000-8000-000000000000"],
      ["../../secret", undefined],
      ["", undefined],
    ] as const) {
      await writeFile(join(folder.path, "conversation"), text);
      assert.equal(shown(), id, text);
    }
  });
});
