import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("Review Git Configuration…", () => {
  let stage: ExtensionStage;
  useExtensionStage({}, (opened) => {
    stage = opened;
  });
  const config = (...args: string[]) => {
    execFileSync("git", ["config", ...args], { cwd: stage.workspace });
  };
  const command = "rooroo.reviewGitConfiguration";

  it("says that there is nothing to allow", async () => {
    await stage.command(command);
    assert.match(stage.person.messages.at(-1)?.text ?? "", /^Nothing in the git configuration/);
  });

  it("shows all that is to be allowed, and allows it only by the button", async () => {
    config("diff.x.textconv", "cat");
    const allowed = async () => {
      stage.person.clicks(undefined);
      await stage.command(command);
      return (
        stage.person.messages.at(-1)?.text ===
        "The git configuration of this repository is allowed."
      );
    };
    assert.equal(await allowed(), false);
    const shown = stage.person.messages.at(-1);
    assert.equal(shown?.text, "Allow the git configuration of this repository as it is?");
    assert.ok(shown.isModal);
    assert.match(shown.detail ?? "", /\.git\/config sets diff\."x"\.textconv to "cat"\./);
    assert.equal(await allowed(), false);
    stage.person.clicks("Allow Until It Changes");
    await stage.command(command);
    assert.equal(await allowed(), true);
    config("diff.y.textconv", "tac");
    assert.equal(await allowed(), false);
    config("--unset", "diff.y.textconv");
    assert.equal(await allowed(), true);
    config("--remove-section", "diff.x");
  });
});
