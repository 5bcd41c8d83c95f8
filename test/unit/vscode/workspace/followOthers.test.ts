import { strict as assert } from "node:assert";
import { rename } from "node:fs/promises";
import * as vscode from "vscode";
import { conversationPath } from "../../../../src/core/conversation/store/conversationFile.js";
import type { Overview } from "../../../../src/core/navigator/overview/overview.js";
import { Conversation } from "../../../../src/vscode/workspace/conversation.js";
import {
  followOthers,
  type FollowOthersParts,
} from "../../../../src/vscode/workspace/followOthers.js";
import { BriskClock } from "../../../fakes/briskClock.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("what another process does", () => {
  let stage: ExtensionStage;
  const path = conversationPath("1");
  useExtensionStage({ folder: "empty", files: { [path]: "{}\n" } }, (opened) => {
    stage = opened;
  });

  it("is read, if it is a restore, when nothing runs in this window, and not before, whether or not files are watched", async () => {
    const one = new Conversation("1");
    const did: string[] = [];
    let isBusy = true;
    const restored = { type: "restoreUndone", restoreId: "R" };
    one.state.positions.set("R", 0);
    const tasksChanged = new vscode.EventEmitter<void>();
    const following = followOthers({
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
    } as unknown as FollowOthersParts);
    await stage.editor.watchers.ready();
    await stage.write(path, "{}\n{}\n");
    await until(() => did.length > 0, "a look");
    void following.look({ holder: undefined, other: undefined });
    await until(() => did.length > 1, "another look");
    await stage.write("new.jsonl", "{}\n{}\n{}\n");
    const before = did.length;
    await rename(stage.path("new.jsonl"), stage.path(path));
    await until(() => did.length > before, "a look at the file that takes its place");
    assert.deepEqual([...new Set(did)], ["busy"]);

    isBusy = false;
    tasksChanged.event(() => did.push("told"));
    // No file changes any more.
    void following.look({ holder: undefined, other: undefined });
    await until(() => did.at(-1) === "told", "a restore");
    assert.deepEqual(did.slice(-4), ["free", "looked at", "read again", "told"]);
    following.dispose();
  });

  it("is shown while it works, and once afterwards, when nothing runs any more", async () => {
    const one = new Conversation("1");
    const at = "2026-01-01T00:00:00.000Z";
    one.add({ type: "sessionStarted", at, taskId: "A", mode: "rooroo-developer", goal: "Do A" });
    const running = () => one.state.items.some((item) => item.kind === "task" && item.running);
    let shown = 0;
    let isBusy = true;
    const following = followOthers({
      folder: vscode.Uri.file(stage.workspace),
      conversations: { open: [one], store: {} },
      files: { stat: () => Promise.resolve(undefined) },
      clock: new BriskClock(),
      pid: 1,
      isBusy: () => isBusy,
      showAgain: () => Promise.resolve(++shown > 0),
    } as unknown as FollowOthersParts);
    const other = { pid: 2, taskId: "A" } as unknown as Overview["other"];
    const own = { pid: 1, taskId: "A" } as unknown as Overview["other"];
    const look = async (who: Overview["other"]) => {
      await following.look({ holder: undefined, other: who });
      return [shown, running()];
    };
    assert.deepEqual(await look(other), [0, true]);
    isBusy = false;
    assert.deepEqual(await look(own), [0, true]);
    assert.deepEqual(await look(other), [1, true]);
    assert.deepEqual(await look(other), [2, true]);
    assert.deepEqual(await look(undefined), [3, false]);
    assert.deepEqual(await look(undefined), [3, false]);
    following.dispose();
  });
});
