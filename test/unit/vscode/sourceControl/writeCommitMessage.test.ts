import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { gitExtension, Repository } from "../../../fakes/vscode/git.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("the commit message", () => {
  let stage: ExtensionStage;
  let repository: Repository;
  useExtensionStage({}, async (opened) => {
    stage = opened;
    repository = new Repository(stage.workspace);
    stage.editor.extensions.set("vscode.git", gitExtension(repository));
    await stage.write("src/money.js", "// cents\n");
    execFileSync("git", ["add", "."], { cwd: stage.workspace });
  });

  /** Presses the button in the header of the changes. */
  async function write(): Promise<void> {
    assert.ok(
      stage.menu("scm/title", { scmProvider: "git" }).includes("rooroo.writeCommitMessage"),
    );
    await stage.command("rooroo.writeCommitMessage", { rootUri: repository.rootUri });
  }

  it("is written into the input of Source Control, of what is staged", async () => {
    stage.server.script({ say: "Count in cents" });
    await write();
    assert.equal(repository.inputBox.value, "Count in cents");
    const told = JSON.stringify(stage.server.requests[0]?.messages);
    assert.match(told, /Carts, discounts and invoices/);
    assert.match(told, /\+\/\/ cents/);
  });

  it("replaces what was typed only when that is confirmed", async () => {
    repository.inputBox.value = "My own words";
    stage.server.script({ say: "Not mine" }, { say: "Better words" });
    stage.person.clicks(undefined);
    await write();
    const asked = stage.person.messages.at(-1);
    assert.equal(asked?.text, "Replace the commit message that you have typed?");
    assert.ok(asked.isModal);
    assert.match(asked.detail ?? "", /Not mine/);
    assert.equal(repository.inputBox.value, "My own words");
    stage.person.clicks("Replace");
    await write();
    assert.equal(repository.inputBox.value, "Better words");
  });

  it("is not written once it is cancelled", async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const after = new Promise((resolve) => (answer = resolve));
    stage.server.script({ after, then: { say: "Too late" } });
    const cancelled = write();
    await until(() => stage.server.requests.length === 1, "the model is asked");
    stage.editor.window.progress.find(({ isOver }) => !isOver)?.cancel();
    await cancelled;
    assert.equal(repository.inputBox.value, "Better words");
    // The next message is written in spite of the one that was cancelled, whose answer comes later still.
    stage.server.script({ say: "In time" });
    stage.person.clicks("Replace");
    await write();
    assert.equal(repository.inputBox.value, "In time");
    answer();
  });

  it("is offered in Source Control of git alone, in a folder that is trusted", () => {
    const offered = (keys: object) =>
      stage
        .menu("scm/title", { scmProvider: "git", ...keys })
        .sort()
        .join(" ");
    assert.equal(offered({}), "rooroo.reviewMyChanges rooroo.writeCommitMessage");
    assert.equal(offered({ scmProvider: "svn" }), "");
    assert.equal(offered({ isWorkspaceTrusted: false }), "");
    assert.equal(offered({ workspaceFolderCount: 0 }), "");
  });
});
