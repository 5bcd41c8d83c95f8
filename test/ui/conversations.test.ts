import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { report } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("several conversations", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const input = () => panel.getByRole("textbox", { name: "Message to the Navigator" });
  const files = async () =>
    (await stage.list(".rooroo/conversations")).filter((name) => /^\d.*\.jsonl$/.test(name));

  /** Returns the id of the conversation in which these words stand. */
  async function idOf(words: string): Promise<string> {
    for (const name of await files()) {
      const text = await stage.read(`.rooroo/conversations/${name}`);
      if (text.includes(words)) return name.replace(/\.jsonl$/, "");
    }
    throw new Error(`no conversation has ${words}`);
  }

  /** Chooses a conversation in the list by words in it, as a person does by keys. */
  async function choose(words: string, title: string): Promise<void> {
    await stage.runCommand("rooroo.showConversations");
    const list = stage.page.locator(".quick-input-widget");
    await list.getByRole("textbox").fill(words);
    await list.locator(".monaco-list-row").filter({ hasText: title }).first().waitFor();
    await stage.screenshot(`conversations-list-${words}`);
    await stage.page.keyboard.press("Enter");
  }

  /** Waits until VS Code has stored a text among what it keeps of the window, which it does every few seconds. */
  async function stored(text: string): Promise<void> {
    await until(async () => (await windowState()).includes(text), `VS Code has stored ${text}`);
  }

  async function windowState(): Promise<string> {
    return stage.page.evaluate(async () => {
      const result = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => {
            resolve(request.result);
          };
          request.onerror = () => {
            reject(new Error("The browser's database cannot be read."));
          };
        });
      const all = await indexedDB.databases();
      const names = all.flatMap(({ name = "" }) =>
        name.startsWith("vscode-web-state-db") ? [name] : [],
      );
      const found: unknown[] = [];
      for (const name of names) {
        const database = await result(indexedDB.open(name));
        const tables = [...database.objectStoreNames];
        const values = await Promise.all(
          tables.map((table) => result(database.transaction(table).objectStore(table).getAll())),
        );
        database.close();
        found.push(values);
      }
      return JSON.stringify(found);
    });
  }

  it("are begun by /new, each with a file and a draft of its own", async () => {
    stage.server.script(report("Done", "Alpha is written."));
    await stage.say(panel, "/do Write alpha");
    await stage.report(panel, "Alpha is written.").waitFor();
    await stage.say(panel, "/new");
    await stage.report(panel, "Alpha is written.").waitFor({ state: "detached" });
    assert.equal((await files()).length, 1);
    stage.server.script(report("Done", "Beta is written."));
    await stage.say(panel, "/do Write beta");
    await stage.report(panel, "Beta is written.").waitFor();
    await until(async () => (await files()).length === 2, "two files");
    assert.equal(await panel.getByText("Alpha is written.").count(), 0);
    await input().fill("half a thought");
  });

  it("are found by words in their texts, and shown with what was typed there", async () => {
    await choose("alpha is written", "Write alpha");
    await stage.report(panel, "Alpha is written.").waitFor();
    assert.equal(await input().inputValue(), "");
    await stage.screenshot("conversations-alpha");
    await choose("beta", "Write beta");
    await stage.report(panel, "Beta is written.").waitFor();
    assert.equal(await input().inputValue(), "half a thought");
  });

  it("are begun by a key while the panel has the focus, too", async () => {
    await input().click();
    await stage.page.keyboard.press("Control+N");
    await panel.getByText("What should we work on?").waitFor();
    assert.equal(await input().inputValue(), "");
    await choose("beta", "Write beta");
    await stage.report(panel, "Beta is written.").waitFor();
    assert.equal(await input().inputValue(), "half a thought");
  });

  it("are still there after a reload, the same one with the same draft", async () => {
    const draft = "half a thought, and the rest";
    await input().fill(draft);
    await until(async () => (await stage.stored()).includes(draft), "the host has kept the draft");
    await stage.reload();
    panel = await stage.panel();
    await stage.report(panel, "Beta is written.").waitFor();
    assert.equal(await input().inputValue(), draft);
    assert.equal(await panel.getByText("Alpha is written.").count(), 0);
  });

  it("can be in an editor, which comes back after a reload", async () => {
    await stage.runCommand("rooroo.openConversationInEditor");
    const tab = stage.page.getByRole("tab", { name: /Write beta/ });
    await tab.waitFor();
    await choose("alpha", "Write alpha");
    await stage.report(panel, "Alpha is written.").waitFor();
    await stage.screenshot("conversations-editor");
    const alpha = await idOf("Alpha is written.");
    await until(
      async () => (await stage.stored(/\/conversation$/)).split("\n").includes(alpha),
      "the host has kept what the side bar shows",
    );
    await stored("mainThreadWebview-rooroo.conversation");
    await stage.reload();
    await tab.waitFor();
    for (const words of ["Alpha is written.", "Beta is written."]) {
      const shown = () =>
        Promise.all(
          stage.page.frames().map((frame) =>
            stage
              .report(frame, words)
              .count()
              .catch(() => 0),
          ),
        );
      await until(async () => (await shown()).filter((count) => count === 1).length === 1, words);
    }
    await stage.screenshot("conversations-editor-reloaded");
  });
});
