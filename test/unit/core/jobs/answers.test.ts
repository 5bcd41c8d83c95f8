import assert from "node:assert/strict";
import fc from "fast-check";
import { FileError, UserError } from "../../../../src/core/errors.js";
import { answerJob } from "../../../../src/core/jobs/answerJob.js";
import { answerInJobFile, readJobFile } from "../../../../src/core/jobs/documents/jobFile.js";
import { adds, does, JobStage, plans } from "../../../fakes/jobStage.js";
import { sample, sampleNames } from "./documents/samples.js";

describe("an answer to a job's question", () => {
  it("[R-JIXO-25] stands where the question has room for it, and changes nothing else", () => {
    const before = sample("open.job.md");
    const file = readJobFile(before);
    const [asked] = file.clarifications;
    const after = answerInJobFile(file, "Q-1", "By day.\n\nAnd by place, if there is time.");
    assert.equal(after.clarifications[0]?.answer, "By day.\n\nAnd by place, if there is time.");
    const rows = before.split("\n");
    assert.deepEqual(
      after.lines.text.split("\n").slice(0, (asked?.answerRow ?? 0) + 1),
      rows.slice(0, (asked?.answerRow ?? 0) + 1),
    );
    assert.throws(() => answerInJobFile(after, "Q-1", "Again."), { code: "questionAnswered" });
    assert.throws(() => answerInJobFile(file, "Q-2", "What?"), {
      code: "questionUnknown",
      params: { id: "Q-2" },
    });
    assert.throws(() => answerInJobFile(file, "Q-1", "  \n"), { code: "answerEmpty" });
  });

  it("[R-JIXO-11] stands where a person has taken the placeholder away, too", () => {
    const text = sample("open.job.md").replace("- <!-- Write here. -->\n", "");
    const after = answerInJobFile(readJobFile(text), "Q-1", "By day.");
    assert.equal(after.lines.text, text.replace("**Response**:\n", "**Response**:\n- By day.\n"));
  });

  it("[R-JIXO-25] is read as it was given, or refused, whatever it says and wherever it goes", () => {
    const files = sampleNames(".job.md").map((name) => readJobFile(sample(name)));
    const open = files.flatMap((file) =>
      file.clarifications.flatMap(({ id, answer }) => (answer === undefined ? [{ file, id }] : [])),
    );
    assert.ok(open.length > 1);
    const words = fc.array(
      fc.oneof(
        fc.string({ unit: "grapheme", maxLength: 20 }),
        fc.constantFrom(
          "---",
          "-->",
          "<!--",
          "```",
          "### JIXO: CLARIFICATION REQUEST",
          "**ID**: x",
        ),
      ),
      { maxLength: 4 },
    );
    let made = 0;
    fc.assert(
      fc.property(fc.constantFrom(...open), words, ({ file, id }, lines) => {
        const text = lines.join("\n");
        try {
          const after = answerInJobFile(file, id, text);
          made++;
          assert.equal(after.goal, file.goal);
          assert.equal(after.clarifications.length, file.clarifications.length);
          const read = after.clarifications.find((one) => one.id === id)?.answer;
          assert.equal(read, text.trim().replace(/\r\n?/g, "\n"));
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(made > 100, String(made));
  });

  it("[R-JIXO-11] is worked in by the next lifecycle, however it was given", async () => {
    const clarification = { question: "Sea or hills?" };
    const stage = new JobStage(
      [
        plans([adds("1. Go to the sea")], { clarification }),
        plans([{ action: "replace", item: "1", items: [{ text: "1. Go to the hills" }] }]),
        does(),
      ],
      { ".jixo/trip.job.md": "Plan a trip.\n" },
    );
    await stage.run({ most: 1 });
    const asked = stage.events.find((event) => event.type === "question");
    assert.ok(asked);
    assert.equal(asked.text, "Sea or hills?");
    assert.equal(await answerJob("Q-none", "Hills!", stage), undefined);
    assert.equal((await answerJob(asked.questionId, "Hills!", stage))?.name, "trip");
    assert.match(stage.job, /\*\*Response\*\*:\n- Hills!\n---\n$/);
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.job, "Plan a trip.\n\n## Decided\n\n- Sea or hills? → Hills!\n");
    assert.match(stage.log, /- \[x\] 1\. Go to the hills/);
  });
});

describe("a lifecycle that is killed between log and job file", () => {
  /** Returns a {@link JobStage} whose disk takes no more once the log has its entry. */
  function killedAfterLog(scripts: ConstructorParameters<typeof JobStage>[0], job: string) {
    const stage = new JobStage(scripts, { ".jixo/trip.job.md": job });
    const replace = stage.files.replaceFile.bind(stage.files);
    const remove = stage.files.removeFile.bind(stage.files);
    stage.files.replaceFile = (path, content, options) =>
      path.endsWith("trip.job.md")
        ? Promise.reject(new Error("killed"))
        : replace(path, content, options);
    stage.files.removeFile = (path) =>
      path.includes("/changes/") ? Promise.reject(new Error("killed")) : remove(path);
    const revive = () => {
      stage.files.replaceFile = replace;
      stage.files.removeFile = remove;
    };
    return { stage, revive };
  }

  it("[R-JIXO-24] has its question asked by the next one, once", async () => {
    const clarification = { question: "Sea or hills?" };
    const { stage, revive } = killedAfterLog(
      [plans([adds("1. Go", "2. Come back")], { clarification }), does(), does()],
      "Plan a trip.\n",
    );
    await assert.rejects(stage.run(), /killed/);
    assert.match(stage.log, /Asked Q-/);
    assert.equal(stage.job, "Plan a trip.\n");
    revive();
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.job.match(/Sea or hills\?/g)?.length, 1);
    assert.deepEqual(await stage.files.readDirectory(".rooroo/jobs/trip/changes"), []);
  });

  it("[R-JIXO-24] has its question asked by the next one where only the disk was full", async () => {
    const clarification = { question: "Sea or hills?" };
    const stage = new JobStage([plans([adds("1. Go")], { clarification }), does()], {
      ".jixo/trip.job.md": "Plan a trip.\n",
    });
    const replace = stage.files.replaceFile.bind(stage.files);
    stage.files.replaceFile = (path, content, options) => {
      if (!path.endsWith("trip.job.md")) return replace(path, content, options);
      stage.files.replaceFile = replace;
      return Promise.reject(new FileError("ENOSPC", path, "The disk is full."));
    };
    await stage.run({ most: 1 });
    const told = stage.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    assert.deepEqual(told, ["The disk is full."]);
    assert.equal(stage.job, "Plan a trip.\n");
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.job.match(/Sea or hills\?/g)?.length, 1);
    assert.deepEqual(await stage.files.readDirectory(".rooroo/jobs/trip/changes"), []);
  });

  it("[R-JIXO-23] has the answer taken out by the next one, and not worked in twice", async () => {
    const asks = sample("answered.job.md");
    const { stage, revive } = killedAfterLog([plans([adds("1. Go")]), plans([]), does()], asks);
    const log = "---\ntitle: T\n---\n\n## Roadmap\n\n- [ ] 0. First\n  - status: Pending\n";
    await stage.files.createFile(".jixo/trip.log.md", log);
    await assert.rejects(stage.run(), /killed/);
    assert.match(stage.log, /Work in what was answered: Q-1/);
    revive();
    stage.model = new JobStage([does(), does()], {}).model;
    assert.equal((await stage.run({ name: "trip" })).code, 0);
    assert.doesNotMatch(stage.job, /\*\*ID\*\*: Q-1/);
    assert.equal(stage.log.match(/Work in what was answered/g)?.length, 1);
  });

  it("[R-JIXO-23] leaves the answer to the next one where it ended before its entry was in the log", async () => {
    const log = "---\ntitle: T\n---\n\n## Roadmap\n\n- [ ] 0. First\n  - status: Pending\n";
    const stage = new JobStage([plans([adds("1. Go")]), plans([adds("1. Go")]), does(), does()], {
      ".jixo/trip.job.md": sample("answered.job.md"),
      ".jixo/trip.log.md": log,
    });
    const replace = stage.files.replaceFile.bind(stage.files);
    const remove = stage.files.removeFile.bind(stage.files);
    stage.files.replaceFile = (path, content, options) =>
      path.endsWith("trip.log.md")
        ? Promise.reject(new Error("killed"))
        : replace(path, content, options);
    stage.files.removeFile = (path) =>
      path.includes("/changes/") ? Promise.reject(new Error("killed")) : remove(path);
    await assert.rejects(stage.run(), /killed/);
    assert.notDeepEqual(await stage.files.readDirectory(".rooroo/jobs/trip/changes"), []);
    stage.files.replaceFile = replace;
    stage.files.removeFile = remove;
    assert.equal((await stage.run()).code, 0);
    assert.equal(stage.log.match(/Work in what was answered/g)?.length, 1);
    assert.doesNotMatch(stage.job, /\*\*ID\*\*: Q-1/);
  });
});
