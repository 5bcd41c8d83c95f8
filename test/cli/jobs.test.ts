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

  it("lists jobs, and shows one with what it calls for next", async () => {
    const files = {
      ".jixo/importer.job.md": await sample("open.job.md"),
      ".jixo/importer.log.md": await sample("plain.log.md"),
      ".jixo/fresh.task.md": "Make it.\n",
      ".jixo/a.b.job.md": "---\nname: [\n---\nGo.\n",
      ".jixo/a.b.log.md": "---\ntitle: [\n---\n- [x] 1. Go\n",
    };
    const stage = await Stage.open(plays({}, {}), files);
    const listed = await stage.run("job", "list");
    assert.deepEqual(listed.stdout.trimEnd().split("\n"), [
      " 100%  a.b",
      "       next: ends with 1: The front matter cannot be edited as it is. Mend it by hand.",
      "   0%  fresh",
      "       next: a planner: make the plan",
      "  33%  importer  Move the importer  ? waits for an answer",
      "       next: a runner: task 1.2. Move the parser",
    ]);
    const shown = await stage.run("job", "status", "importer");
    assert.deepEqual(
      [shown.code, ...shown.stdout.trimEnd().split("\n")],
      [
        0,
        "Move the importer  .jixo/importer.job.md",
        "  33% done: 1 Pending, 1 Locked, 1 Completed",
        "  ! Locked by runners that are not known to be alive: 1.2",
        "  next: a runner: task 1.2. Move the parser",
        "  ? Q-1: By day, or by place?",
        "    answer in .jixo/importer.job.md, line 11",
      ],
    );
    const view = await stage.json("job", "status", "importer");
    assert.deepEqual(view["next"], {
      ...{ role: "Runner", task: "1.2", exitCode: null, objective: "task 1.2. Move the parser" },
    });
    const broken = await stage.run("job", "status", "a.b");
    assert.match(broken.stdout, /^ {2}! \.jixo\/a\.b\.job\.md:\d: The front matter is not YAML: /m);
    const unknown = await stage.run("job", "status", "a");
    assert.deepEqual([unknown.code, unknown.stdout], [64, ""]);
    assert.match(unknown.stderr, /There is no job a\. There are: a\.b, fresh, importer\./);
    for (const [path, text] of Object.entries(files)) assert.equal(await stage.read(path), text);
  });
});
