import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { conversationPath } from "../../../../src/core/conversation/conversationFile.js";
import {
  followRestores,
  type FollowRestoresParts,
} from "../../../../src/vscode/workspace/followRestores.js";
import { Conversation } from "../../../../src/vscode/workspace/conversation.js";
import { BriskClock } from "../../../fakes/briskClock.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("what another process restores", () => {
  let stage: ExtensionStage;
  const path = conversationPath("1");
  useExtensionStage({ folder: "empty", files: { [path]: "{}\n" } }, (opened) => {
    stage = opened;
  });

  it("is read when nothing runs in this window, and not before", async () => {
    const one = new Conversation("1");
    const did: string[] = [];
    let isBusy = true;
    const restored = { type: "restoreUndone", restoreId: "R" };
    one.state.positions.set("R", 0);
    const following = followRestores({
      folder: vscode.Uri.file(stage.workspace),
      conversations: {
        open: [one],
        store: { journal: () => ({ load: () => Promise.resolve({ events: [restored] }) }) },
        readAgain: () => Promise.resolve(void did.push("read again")),
      },
      files: {
        stat: () => {
          did.push("looked at");
          return Promise.resolve({ size: 10 });
        },
      },
      clock: new BriskClock(),
      isBusy: () => {
        did.push(isBusy ? "busy" : "free");
        return isBusy;
      },
      onRestored: () => did.push("told"),
    } as unknown as FollowRestoresParts);
    await stage.editor.watchers.ready();
    await stage.write(path, "{}\n{}\n");
    await until(() => did.length > 0, "a look");
    assert.deepEqual([...new Set(did)], ["busy"]);
    isBusy = false;
    let text = "{}\n{}\n";
    // The disk's watcher tells of two changes that come at once as of one.
    const another = async () => {
      text += "{}\n";
      await stage.write(path, text);
      return did.includes("told");
    };
    await until(another, "a restore");
    assert.deepEqual([...new Set(did)], ["busy", "free", "looked at", "read again", "told"]);
    following.dispose();
  });
});
