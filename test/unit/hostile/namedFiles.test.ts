import assert from "node:assert/strict";
import { readNamedFile, readOwnDocument } from "../../../src/core/access/namedFile.js";
import type { UserError } from "../../../src/core/errors.js";
import { jobNamed, readJobs } from "../../../src/core/jobs/documents/jobFolder.js";
import { RunLayout } from "../../../src/core/runs/documents/runLayout.js";
import { RunStore } from "../../../src/core/runs/documents/runStore.js";
import { inputFiles, summaryOf } from "../../../src/core/runs/work/inputFiles.js";
import { words } from "../../../src/core/text/words.js";
import { MemoryFileSystem } from "../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../fakes/memoryLock.js";

/** Returns a workspace that has something to hide. */
function files(more: Record<string, string> = {}): MemoryFileSystem {
  return new MemoryFileSystem({
    ".rooignore": "private/\n",
    ".env": "KEY=hunter22\n",
    "private/plan.md": "# Secret plan\n",
    "/etc/passwd": "root\n",
    ...more,
  });
}

/** Where a link must not lead, and what is said of it. */
const targets = [
  [".env", "may hold keys or passwords"],
  ["private/plan.md", "is hidden from experts by .rooignore"],
  ["/etc/passwd", "is outside the workspace"],
] as const;

describe("files that a workspace names by itself", () => {
  for (const [target, why] of targets) {
    it(`lead no model to a file that ${why}`, async () => {
      const world = files();
      for (const path of [".jixo/trip.job.md", "outputs/report.md", "guidelines/mcp_list.md"]) {
        world.link(path, target.startsWith("/") ? target : `../${target}`);
      }
      const said = ({ code, message }: UserError) =>
        code === "documentRefused" && message.includes(`is a link to ${target}, which ${why}, so`);
      const store = new RunStore(world, new MemoryLock(), new RunLayout(""));
      await assert.rejects(store.text("guidelines/mcp_list.md"), said);
      await assert.rejects(readOwnDocument(".jixo/trip.job.md", world), said);
      assert.equal(await summaryOf(world, "outputs/report.md"), "");
    });
  }

  it("are listed where they cannot be read, with the reason, and are not for working on", async () => {
    const world = files({
      ".jixo/good.job.md": "Go.\n",
      ".jixo/long.job.md": "x".repeat(5_000_001),
      ".jixo/folder.log.md/x": "",
      ".jixo/folder.job.md": "Go.\n",
    });
    const jobs = await readJobs(world);
    assert.deepEqual(
      jobs.map(({ name, file }) => [name, file.problems.map(({ message }) => message)]),
      [
        [
          "folder",
          [
            ".jixo/folder.log.md is not a regular file, so it is not read. Move it away, or put a regular file there.",
          ],
        ],
        ["good", []],
        [
          "long",
          [
            ".jixo/long.job.md is longer than 5.0 MB, so it is not read. Move it away, or put a regular file there.",
          ],
        ],
      ],
    );
    assert.equal((await jobNamed("good", world)).file.goal, "Go.");
    await assert.rejects(jobNamed("long", world), {
      code: "documentRefused",
      params: {
        path: ".jixo/long.job.md",
        reason: words("is longer than {size}", { size: "5.0 MB" }),
      },
    });
    await assert.rejects(jobNamed("folder", world), {
      code: "documentRefused",
      params: { path: ".jixo/folder.log.md", reason: words("is not a regular file") },
    });
  });

  it("are read by their own names though they are hidden from experts", async () => {
    const world = files({ ".jixo/a.job.md": "Go.\n", ".rooignore": ".jixo/\n" });
    assert.equal((await jobNamed("a", world)).file.goal, "Go.");
    const hidden = { read: () => Promise.resolve(() => "hidden") };
    const refused = await readNamedFile(".jixo/a.job.md", world, 100, hidden);
    assert.deepEqual(refused, {
      type: "refused",
      why: words("is hidden from experts by .rooignore"),
    });
  });

  it("have their beginnings in the catalog, as far as experts may read them", async () => {
    const world = files({ "assets/a.md": "# About a\n", "assets/b.pem": "# Key\n" });
    assert.deepEqual(await inputFiles(world, "assets"), [
      { path: "assets/a.md", size: 10, summary: "About a", beginning: "# About a\n" },
      { path: "assets/b.pem", size: 6, summary: "", beginning: "" },
    ]);
  });
});
