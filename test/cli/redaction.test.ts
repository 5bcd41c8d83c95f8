import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { redactionMark } from "../../src/core/text/redactor.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const key = "sk-live-0123456789";

describe("the key of the command line", () => {
  afterEach(closeStages);

  it("is in no file and on no screen, though a command prints it and the model says it", async () => {
    const command = 'yes "the key: $(cat notes.txt)" | head -n 1000';
    const script = plays(
      { route: "direct", expert: "rooroo-developer", goal: "Look" },
      {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("execute_command", { command })
            : completes({ message: `It is ${key}.` }),
      },
    );
    const files = { "notes.txt": `${key}\n` };
    const stage = await Stage.open(script, files, { OPENAI_API_KEY: key });
    const done = await stage.runAll("ask", `Look for ${key}`, "--record", "--verbose");
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.ok(done.stdout.includes(`It is ${redactionMark}.`), done.stdout);
    assert.ok(!(done.stdout + done.stderr).includes(key));

    let outputs = 0;
    for (const path of await readdir(stage.root, { recursive: true })) {
      const text = await readFile(join(stage.root, path), "utf8").catch(() => "");
      if (path !== "notes.txt") assert.ok(!text.includes(key), path);
      if (path.includes("/output/")) {
        outputs++;
        assert.equal(text, `the key: ${redactionMark}\n`.repeat(1000));
      }
    }
    assert.equal(outputs, 1);
    assert.ok(
      stage.model.requests.every((request) => !JSON.stringify(request.messages).includes(key)),
    );
    assert.ok(stage.model.requests.length > 0);
  });

  for (const variable of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]) {
    it(`is in no error of the server's that is shown: ${variable}`, async () => {
      const refuses = () => ({ status: 400, message: `Not with ${key}` });
      const stage = await Stage.open(refuses, {}, { [variable]: key });
      for (const words of [
        ["ask", "Look"],
        ["model", "test"],
      ]) {
        const { stdout, stderr } = await stage.run(...words);
        assert.match(stdout + stderr, /Not with/);
        assert.ok(!(stdout + stderr).includes(key));
      }
    });
  }
});
