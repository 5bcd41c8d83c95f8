import assert from "node:assert/strict";
import { ResumableWork } from "../../../../src/vscode/workspace/resumableWork.js";

interface Work {
  readonly name: string;
  readonly left?: number;
}

/** What VS Code's storage keeps, in memory. */
class Record {
  constructor(readonly works = new Map<string, Work>()) {}

  read(): Promise<readonly Work[]> {
    return Promise.resolve([...this.works.values()]);
  }

  set(name: string, work: Work | undefined): Promise<void> {
    if (work === undefined) this.works.delete(name);
    else this.works.set(name, work);
    return Promise.resolve();
  }
}

describe("ResumableWork", () => {
  const recorded = (...names: string[]) =>
    new Record(new Map(names.map((name) => [name, { name }])));

  /** Resumes all that is recorded; tells what was claimed, resumed and released, in that order. */
  async function resumeAll(
    work: ResumableWork<Work>,
    isFree: (name: string) => boolean = () => true,
  ) {
    const events: string[] = [];
    const all = await work.interrupted({
      claim: ({ name }) => {
        events.push(`claim ${name}`);
        const release = (): Promise<void> => {
          events.push(`release ${name}`);
          return Promise.resolve();
        };
        return Promise.resolve(isFree(name) ? release : undefined);
      },
      resume: ({ name }, release) => {
        events.push(`resume ${name}`);
        return release();
      },
    });
    return { events, resumed: Promise.all(all.map((resume) => resume())) };
  }

  it("records work while it runs, and how it is to be resumed from then on", async () => {
    const record = recorded();
    const work = new ResumableWork(record);
    await work.during({ name: "a" }, async () => {
      assert.deepEqual(await record.read(), [{ name: "a" }]);
      work.update("a", { name: "a", left: 2 });
      assert.deepEqual(await record.read(), [{ name: "a", left: 2 }]);
    });
    assert.deepEqual(await record.read(), []);
  });

  it("removes the record of work that failed, and forgets that it was stopped", async () => {
    const record = recorded();
    const work = new ResumableWork(record);
    work.markStopped("a");
    assert.ok(work.isStopped("a"));
    await assert.rejects(
      work.during({ name: "a" }, () => Promise.reject(new Error("no"))),
      /no/,
    );
    assert.deepEqual(await record.read(), []);
    assert.ok(!work.isStopped("a"));
  });

  it("keeps the record of work that ends because the window closes", async () => {
    const record = recorded();
    const work = new ResumableWork(record);
    await work.during({ name: "a" }, () => {
      work.dispose();
      work.update("a", undefined);
      return Promise.resolve();
    });
    assert.deepEqual(await record.read(), [{ name: "a" }]);
  });

  it("resumes what is recorded, each as soon as no other process does it", async () => {
    const looks = new Map<string, number>();
    const work = new ResumableWork(recorded("a", "b"), () => Promise.resolve());
    const { events, resumed } = await resumeAll(work, (name) => {
      looks.set(name, (looks.get(name) ?? 0) + 1);
      return name === "a" || looks.get(name) === 2;
    });
    await resumed;
    assert.deepEqual(
      events.filter((event) => event.endsWith("a")),
      ["claim a", "resume a", "release a"],
    );
    assert.deepEqual(
      events.filter((event) => event.endsWith("b")),
      ["claim b", "claim b", "resume b", "release b"],
    );
  });

  it("does not resume what the other window has finished meanwhile", async () => {
    const record = recorded("a");
    const { events, resumed } = await resumeAll(new ResumableWork(record), () => {
      record.works.clear();
      return true;
    });
    await resumed;
    assert.deepEqual(events, ["claim a", "release a"]);
  });

  it("resumes nothing in a window that is closing", async () => {
    const work = new ResumableWork(recorded("a"));
    work.dispose();
    const { events, resumed } = await resumeAll(work);
    await resumed;
    assert.deepEqual(events, []);
  });
});
