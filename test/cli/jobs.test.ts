import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const samples = join(import.meta.dirname, "../../../test/fixtures/jobs");
const sample = (name: string) => readFile(join(samples, name), "utf8");

describe("rooroo and jobs", () => {
  afterEach(closeStages);

  it("validates logs, with the line and the rule of each problem", async () => {
    const stage = await Stage.open(plays({}, {}), {
      "good.log.md": await sample("plain.log.md"),
      "bad.log.md": "## Roadmap\n- [ ] 1. Go\n  - status: Locked\n",
    });
    const { code, stdout } = await stage.run("validate", "job-log", "good.log.md", "bad.log.md");
    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "good.log.md: 3 tasks, no problems.",
      "bad.log.md:3: R-JIXO-26: Task 1 is Locked, but nobody is named as runner.",
    ]);
    const json = await stage.run("validate", "job-log", "good.log.md", "bad.log.md", "--json");
    const lines = json.stdout.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        { file: "good.log.md", valid: true, problems: [] },
        {
          ...{ file: "bad.log.md", valid: false },
          problems: [
            {
              ...{ line: 3, field: "R-JIXO-26" },
              message: "Task 1 is Locked, but nobody is named as runner.",
            },
          ],
        },
      ],
    );
    assert.equal((await stage.run("validate", "job-log", "good.log.md")).code, 0);
  });
});
