import assert from "node:assert/strict";
import fc from "fast-check";
import { hunksOf, withHunk, withoutHunk } from "../../../../src/core/changes/hunks.js";
import { bytes, ChangesStage } from "./changesStage.js";

const text = (content: Uint8Array | undefined) => content && new TextDecoder().decode(content);

describe("reviewing changes", () => {
  it("shows each file from what it was before the first task to what it is now", async () => {
    const stage = new ChangesStage({ a: "one\n", b: "1\n", same: "x\n" });
    await stage.write("T1", "a", "two\n");
    await stage.write("T1", "same", "y\n");
    await stage.write("T2", "a", "three\n");
    await stage.write("T2", "b", undefined);
    await stage.write("T2", "same", "x\n");
    await stage.write("T2", "c", "new\n");
    const shown = async (...tasks: string[]) =>
      (await stage.changes.files(tasks)).map(({ path, before, now, taskIds }) =>
        [path, text(before), text(now), taskIds.join()].join("|"),
      );
    assert.deepEqual(await shown("T1", "T2"), [
      "a|one\n|three\n|T1,T2",
      "b|1\n||T2",
      "c||new\n|T2",
    ]);
    assert.deepEqual(await shown("T2"), [
      "a|two\n|three\n|T2",
      "b|1\n||T2",
      "c||new\n|T2",
      "same|y\n|x\n|T2",
    ]);
  });

  it("reverts a hunk, and can still undo the rest", async () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const before = lines.join("\r\n");
    const stage = new ChangesStage({ a: before });
    await stage.write("T", "a", before.replace("line 3", "THREE").replace("line 15", "x\r\ny"));
    const [file] = await stage.changes.files(["T"]);
    assert.ok(file);
    const hunks = hunksOf(file.before, file.now);
    assert.equal(hunks?.length, 2);
    await stage.changes.revert(file, hunks[0], stage.mayWrite);
    assert.equal(stage.files.text("a"), before.replace("line 15", "x\r\ny"));
    await assert.rejects(stage.changes.revert(file, hunks[1], stage.mayWrite), {
      code: "fileJustChanged",
    });
    assert.deepEqual(await stage.undo("T"), ["a: restored"]);
    assert.equal(stage.files.text("a"), before);
  });

  it("keeps a hunk: it is reviewed and undone no more", async () => {
    const stage = new ChangesStage({ a: "1\n2\n3\n4\n5\n" });
    await stage.write("T", "a", "one\n2\n3\n4\nfive\n");
    const [file] = await stage.changes.files(["T"]);
    assert.ok(file);
    await stage.changes.keep(file, hunksOf(file.before, file.now)?.[0]);
    const [rest] = await stage.changes.files(["T"]);
    assert.equal(hunksOf(rest?.before, rest?.now)?.length, 1);
    assert.deepEqual(await stage.undo("T"), ["a: restored"]);
    assert.equal(stage.files.text("a"), "one\n2\n3\n4\n5\n");
  });

  it("keeps or reverts whole files of a plan", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T1", "a", "two\n");
    await stage.write("T1", "b", "new\n");
    await stage.write("T2", "a", "three\n");
    const [a, b] = await stage.changes.files(["T1", "T2"]);
    assert.ok(a && b);
    await assert.rejects(stage.changes.keep(a, hunksOf(a.before, a.now)?.[0]), {
      code: "hunkOfSeveralTasks",
    });
    await stage.changes.revert(a, undefined, stage.mayWrite);
    await stage.changes.keep(b, undefined);
    assert.deepEqual(stage.project, { a: "one\n", b: "new\n" });
    assert.deepEqual(await stage.changes.files(["T1", "T2"]), []);
    assert.deepEqual(await stage.undo("T1"), []);
  });

  it("does not take from a plan's file what somebody did between its tasks", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T1", "a", "two\n");
    stage.files.put("a", "two\nmine\n");
    await stage.write("T2", "a", "three\nmine\n");
    const [a] = await stage.changes.files(["T1", "T2"]);
    assert.ok(a);
    await assert.rejects(stage.changes.revert(a, undefined, stage.mayWrite), {
      code: "fileChangedMeanwhile",
    });
    assert.equal(stage.files.text("a"), "three\nmine\n");
  });

  it("names what cannot be shown", async () => {
    const stage = new ChangesStage({ a: "one\n", "elsewhere/a": "theirs\n" });
    await stage.write("T", "a", "two\n");
    stage.files.link("a", "elsewhere/a");
    const [file] = await stage.changes.files(["T"]);
    assert.equal(file?.problem?.code, "fileReplaced");
  });

  it("splits changes into hunks that lead from one text to the other and back", () => {
    const line = fc.constantFrom("a", "b", "c", "", "é");
    const side = fc
      .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 12 }), line)
      .map(([lines, last]) => bytes(lines.flat().join("") + last));
    fc.assert(
      fc.property(side, side, (before, now) => {
        const hunks = hunksOf(before, now) ?? [];
        const back = hunks.reduceRight(withoutHunk, now);
        assert.deepEqual(back, before);
        const forth = hunks.reduceRight(withHunk, before);
        assert.deepEqual(forth, now);
      }),
    );
  });
});
