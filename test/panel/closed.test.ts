import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ShownMessage } from "../fakes/vscode/person.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { planted } from "./planted.js";
import { usePanelStage } from "./usePanelStage.js";

/** Resolves with a message that says this. */
const message = (stage: PanelStage, text: string): Promise<ShownMessage> =>
  until(() => stage.person.messages.find((one) => one.text.includes(text)), text);

describe("a window without a folder", () => {
  let stage: PanelStage;
  usePanelStage({ folder: false }, (opened) => {
    stage = opened;
  });

  it("says that a folder is needed, on the panel, in the lists and to commands", async () => {
    const panel = await stage.panel();
    await panel.getByRole("button", { name: "Open Folder" }).waitFor();
    await stage.command("rooroo.proceed");
    const { buttons } = await message(stage, "Rooroo works on the files of a folder");
    assert.deepEqual(buttons, ["Open Folder"]);
    assert.deepEqual(await stage.extension.rows(), []);
    assert.deepEqual(stage.extension.welcomes("rooroo.tasks"), ["%welcome.noFolder%"]);
  });
});

describe("a folder in Restricted Mode, without a workbench", () => {
  let stage: PanelStage;
  usePanelStage({ trusted: false, files: planted }, (opened) => {
    stage = opened;
  });

  it("runs nothing, and says why", async () => {
    const panel = await stage.panel();
    await panel.getByText("This folder is in Restricted Mode").waitFor();
    await stage.say(panel, "Mend the test");
    await panel.getByRole("alert").getByText("Trust this workspace first").waitFor();
    assert.equal(stage.server.requests.length, 0);
  });

  it("has its entries in VS Code's menus, and each says why nothing runs", async () => {
    for (const menu of [
      "explorer/context",
      "editor/title/context",
      "scm/resourceState/context",
      "scm/resourceGroup/context",
    ]) {
      assert.deepEqual(stage.extension.menu(menu), ["rooroo.addToRooroo"], menu);
    }
    stage.person.messages.length = 0;
    const file = vscode.Uri.file(stage.extension.path("package.json"));
    await stage.command("rooroo.addToRooroo", file, [file]);
    const { buttons } = await message(stage, "Trust this workspace first");
    assert.deepEqual(buttons, ["Manage Trust"]);
  });

  it("reads nothing of what the folder brings along, writes nothing, and offers to trust it", async () => {
    const panel = await stage.panel();
    await panel.getByRole("button", { name: /Trust/ }).waitFor();
    assert.deepEqual(await stage.extension.rows(), []);
    assert.deepEqual(stage.extension.welcomes("rooroo.tasks"), ["%welcome.untrusted%"]);
    stage.person.messages.length = 0;
    await stage.command("rooroo.proceed");
    await message(stage, "Trust this workspace first");
    assert.equal(await panel.getByText("Planted words").count(), 0);
    assert.deepEqual(await stage.list(".rooroo"), ["logs"]);
    assert.deepEqual(await stage.list(".rooroo/logs"), ["conversation.jsonl"]);
    assert.equal(
      await stage.read(".rooroo/logs/conversation.jsonl"),
      planted[".rooroo/logs/conversation.jsonl"],
    );
    assert.equal(stage.server.requests.length, 0);
  });
});
