import { strict as assert } from "node:assert";
import { rename } from "node:fs/promises";
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
    const tasksChanged = new vscode.EventEmitter<void>();
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
      tasksChanged,
    } as unknown as FollowRestoresParts);
    await stage.editor.watchers.ready();
    await stage.write(path, "{}\n{}\n");
    await until(() => did.length > 0, "a look");
    tasksChanged.fire();
    await until(() => did.length > 1, "another look");
    await stage.write("new.jsonl", "{}\n{}\n{}\n");
    const before = did.length;
    await rename(stage.path("new.jsonl"), stage.path(path));
    await until(() => did.length > before, "a look at the file that takes its place");
    assert.deepEqual([...new Set(did)], ["busy"]);

    isBusy = false;
    tasksChanged.event(() => did.push("told"));
    // The last task has ended; no file changes any more.
    tasksChanged.fire();
    await until(() => did.includes("read again") && did.at(-1) === "told", "a restore");
    assert.deepEqual(did.slice(did.indexOf("told")), [
      "told",
      "free",
      "looked at",
      "read again",
      "told",
    ]);
    following.dispose();
  });
});
