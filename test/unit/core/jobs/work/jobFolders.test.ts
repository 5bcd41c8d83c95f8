import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../../../src/core/approvals/approver.js";
import type { PermissionStore } from "../../../../../src/core/approvals/permissions.js";
import { spoken } from "../../../../../src/core/text/words.js";
import { does, JobStage, memoryPermissions } from "../../../../fakes/jobStage.js";
import { calls } from "../../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../../fakes/scriptedModel.js";

const log = `---
title: Trip
progress: "0%"
---

## Roadmap

- [ ] 1. Task
  - status: Pending

## Work Log
`;

const jobOf = (dirs: string) => `---\nname: trip\ndirs: ${dirs}\n---\n\nPlan a trip.\n`;
const write = (path: string, content = "new\n") => calls("write_to_file", { path, content });
const read = (path: string) => calls("read_file", { path });

interface Play {
  readonly stage: JobStage;
  readonly asked: ApprovalRequest[];
}

const option = (document: string, folder: string) =>
  `Reading and writing in ${folder}, as ${document} says`;
const shared = option(".jixo/trip.job.md", "/shared");

/** Does the job's task, where a person answers with the option if it is offered, and denies all else. */
async function play(
  dirs: string,
  scripts: readonly ModelScript[],
  wanted: string,
  permissionStore: PermissionStore = memoryPermissions(),
  allows: "all" | "ask" = "ask",
): Promise<Play> {
  const files = {
    ".jixo/trip.job.md": jobOf(dirs),
    ".jixo/trip.log.md": log,
    "src/a.txt": "a\n",
    "/shared/b.txt": "b\n",
    "/shared/.env": "KEY=1\n",
    "/other/c.txt": "c\n",
  };
  const stage = new JobStage([...scripts, does()], files, allows);
  stage.files.link("/shared/out", "/other");
  const asked: ApprovalRequest[] = [];
  stage.permissionStore = permissionStore;
  stage.approve = (request) => {
    asked.push(request);
    const at = request.options.findIndex((one) => spoken(one) === wanted);
    return at < 0 ? { type: "denied" } : { type: "allowed", scope: "always", option: at };
  };
  assert.equal((await stage.run()).code, 0);
  return { stage, asked };
}

const titles = (asked: readonly ApprovalRequest[]) =>
  asked.map(({ action }) => spoken(action.title));

describe("the folders that a job's file names", () => {
  it("[R-JIXO-2] are read and written once the person has confirmed them by the card that names them", async () => {
    const work = [read("/shared/b.txt"), write("/shared/b.txt"), write("/shared/new/x.txt")];
    const { stage, asked } = await play("[../shared]", work, shared);
    assert.equal(asked.length, 1, titles(asked).join());
    assert.ok(asked[0]?.options.map((one) => spoken(one)).includes(shared));
    assert.match(stage.told(0), /^task\.dirs: \.\.\/shared$/m);
    assert.equal(stage.files.text("/shared/b.txt"), "new\n");
    assert.equal(stage.files.text("/shared/new/x.txt"), "new\n");
  });

  it("[R-JIXO-2] are confirmed once for what the file says, and again if it names others", async () => {
    const store = memoryPermissions();
    await play("[../shared]", [write("/shared/x.txt")], shared, store);
    const same = await play("[../shared]", [write("/shared/x.txt")], shared, store);
    assert.deepEqual(same.asked, []);
    const more = await play("[../shared, ../other]", [write("/shared/x.txt")], shared, store);
    assert.equal(more.asked.length, 1);
  });

  it("[R-JIXO-2] inside the workspace are written unasked after that, and no other folder is", async () => {
    const wanted = option(".jixo/trip.job.md", "src");
    const work = [write("src/b.txt"), write("src/c.txt"), write("lib/d.txt")];
    const { stage, asked } = await play("src", work, wanted);
    assert.deepEqual(
      asked.map(({ action }) => "path" in action && action.path),
      ["src/b.txt", "lib/d.txt"],
    );
    assert.equal(stage.files.text("src/c.txt"), "new\n");
    assert.equal(stage.files.text("lib/d.txt"), undefined);
  });

  it("[R-JIXO-2] confer nothing unconfirmed, nothing outside of themselves, and nothing on links that lead out", async () => {
    const denied = await play(
      "[../shared]",
      [write("/shared/x.txt")],
      "none of these",
      undefined,
      "all",
    );
    assert.equal(denied.stage.files.text("/shared/x.txt"), undefined);
    const work = [
      write("/shared/x.txt"),
      write("/shared/../other/x.txt"),
      write("/shared/out/y.txt"),
      write("/shared2/x.txt"),
    ];
    const { stage, asked } = await play("[../shared]", work, shared);
    assert.deepEqual(
      asked.map(({ action }) => "path" in action && action.path),
      ["/shared/x.txt", "/other/x.txt", "/other/y.txt", "/shared2/x.txt"],
    );
    assert.equal(stage.files.text("/other/x.txt"), undefined);
  });

  it("[R-JIXO-2] leave protected files and those that may hold secrets asked about", async () => {
    const work = [
      write("/shared/x.txt"),
      read("/shared/.env"),
      write("/shared/.git/hooks/pre-commit"),
      write("/shared/.vscode/tasks.json"),
    ];
    const { stage, asked } = await play("[../shared]", work, shared);
    assert.equal(asked.length, 4, titles(asked).join());
    for (const { options } of asked.slice(1)) {
      assert.ok(!options.map((one) => spoken(one)).includes(shared));
    }
    assert.equal(stage.files.text("/shared/.git/hooks/pre-commit"), undefined);
    assert.equal(stage.files.text("/shared/.vscode/tasks.json"), undefined);
  });

  it("[R-JIXO-2] are none where they are the workspace or hold it", async () => {
    for (const dirs of [".", "/", "/workspace", "../workspace/../"]) {
      const { asked } = await play(dirs, [write("lib/x.txt"), write("/other/x.txt")], "none");
      for (const { options } of asked) {
        assert.ok(
          options.every((one) => !spoken(one).includes("trip.job.md")),
          dirs,
        );
      }
    }
  });
});
