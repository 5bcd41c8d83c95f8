import assert from "node:assert/strict";
import { jobNamed, readJobs } from "../../../../../src/core/jobs/documents/jobFolder.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";

describe("folder of jobs", () => {
  it("[R-JIXO-1] finds jobs of both versions with their logs, which need not be there", async () => {
    const files = new MemoryFileSystem({
      ".jixo/a.job.md": "---\nname: first\n---\nGo.\n",
      ".jixo/a.log.md": "- [ ] 1. Go\n",
      ".jixo/b.task.md": "Go.\n",
      ".jixo/c.job.md": "Go.\n",
      ".jixo/c.task.md": "Went.\n",
      ".jixo/notes.md": "",
      ".jixo/alone.log.md": "- [ ] 1. Go\n",
      ".jixo/deep/d.job.md": "Go.\n",
    });
    const jobs = await readJobs(files);
    assert.deepEqual(
      jobs.map(({ name, version, jobPath, logPath, log }) => ({
        name,
        version,
        jobPath,
        logPath,
        tasks: log.tasks.length,
      })),
      [
        {
          name: "first",
          version: 2,
          jobPath: ".jixo/a.job.md",
          logPath: ".jixo/a.log.md",
          tasks: 1,
        },
        { name: "b", version: 1, jobPath: ".jixo/b.task.md", logPath: ".jixo/b.log.md", tasks: 0 },
        { name: "c", version: 2, jobPath: ".jixo/c.job.md", logPath: ".jixo/c.log.md", tasks: 0 },
      ],
    );
    assert.deepEqual(await readJobs(new MemoryFileSystem()), []);
  });

  it("is searched for a job's name without a look into the logs of others", async () => {
    const others = Array.from({ length: 100 }, (_, index) => `.jixo/other${index}`);
    const files = new MemoryFileSystem({
      ".jixo/a.job.md": "---\nname: first\n---\nGo.\n",
      ".jixo/a.log.md": "- [ ] 1. Go\n",
      ...Object.fromEntries(others.map((stem) => [`${stem}.job.md`, "Go.\n"])),
      ...Object.fromEntries(others.map((stem) => [`${stem}.log.md`, "- [ ] 1. Go\n"])),
    });
    const logs = new Set<string>();
    files.beforeOperation = (_operation, path) => {
      if (path.endsWith(".log.md")) logs.add(path);
    };
    assert.equal((await jobNamed("first", files)).log.tasks.length, 1);
    assert.deepEqual([...logs], [".jixo/a.log.md"]);
  });
});
