import assert from "node:assert/strict";
import fc from "fast-check";
import { temporaryName } from "../../../../src/core/access/temporaryName.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { bytes, ChangesStage } from "./changesStage.js";

describe("undoing a task", () => {
  it("restores content, existence and permissions, and touches nothing else", async () => {
    const stage = new ChangesStage({ a: "one\n", gone: "here\n", run: "#!x\n", other: "theirs\n" });
    const before = stage.project;
    await stage.write("T", "a", "two\n");
    await stage.write("T", "a", "three\n");
    await stage.write("T", "new/file", "made\n");
    await stage.command("T", "gone", () => stage.files.removeFile("gone"));
    await stage.command("T", "run", () => stage.files.setMode("run", 0o755));
    await stage.command("T", "other", () => undefined);
    stage.files.put("other", "theirs, later\n");
    assert.deepEqual(await stage.undo("T"), [
      "a: restored",
      "gone: restored",
      "new/file: removed",
      "run: restored",
    ]);
    assert.deepEqual(stage.project, { ...before, other: "theirs, later\n" });
    assert.equal((await stage.files.stat("run"))?.mode, 0o644);
    assert.deepEqual(await stage.undo("T"), [], "there is nothing left to undo");
  });

  it("restores the files of a folder that a command removed", async () => {
    const stage = new ChangesStage({ "src/a": "a\n", "src/b/c": "c\n", "src/d": "d\n" });
    const before = stage.project;
    await stage.command("T", "src", async () => {
      await stage.files.removeFile("src/a");
      await stage.files.removeFile("src/b/c");
    });
    assert.deepEqual(await stage.undo("T"), ["src/a: restored", "src/b/c: restored"]);
    assert.deepEqual(stage.project, before);
  });

  it("says what it cannot restore of a big folder, and keeps nothing of what git keeps", async () => {
    const many = Array.from({ length: 600 }, (_, i) => [`big/${i}`, "x\n"] as const);
    const stage = new ChangesStage({
      ...Object.fromEntries(many),
      "src/a": "a\n",
      "src/.git/b": "b\n",
    });
    await stage.command("T", "big", () => stage.files.removeFile("big/1"));
    await stage.command("T", "src", async () => {
      await stage.files.removeFile("src/a");
      await stage.files.removeFile("src/.git/b");
    });
    await stage.command("T", "made", () => {
      stage.files.put("made/new", "x\n");
    });
    await stage.command("T", "", () => undefined);
    assert.deepEqual(await stage.undo("T"), ["big: left, tooBig", "src/a: restored"]);
    assert.equal(stage.files.text("src/.git/b"), undefined);
    assert.equal(stage.files.text("made/new"), "x\n");
  });

  it("leaves what somebody changed since, and shows what they did", async () => {
    const stage = new ChangesStage({ a: "one\n", b: "1\n" });
    await stage.write("T", "a", "two\n");
    await stage.write("T", "b", "2\n");
    stage.files.put("a", "two and mine\n");
    const undone = await stage.changes.undo("T", stage.mayWrite);
    const [a, b] = undone;
    assert.ok(a?.type === "left" && a.why === "changed");
    assert.equal(a.problem.code, "fileChangedAfterTask");
    assert.deepEqual(a.since, { left: bytes("two\n"), now: bytes("two and mine\n") });
    assert.equal(b?.type, "restored");
    assert.deepEqual(stage.project, { a: "two and mine\n", b: "1\n" });
  });

  it("restores a file of which somebody took back a part by hand", async () => {
    const stage = new ChangesStage({ a: "1\n2\n3\n4\n5\n" });
    await stage.write("T", "a", "one\n2\n3\n4\nfive\n");
    stage.files.put("a", "1\n2\n3\n4\nfive\n");
    assert.deepEqual(await stage.undo("T"), ["a: restored"]);
    assert.equal(stage.files.text("a"), "1\n2\n3\n4\n5\n");
  });

  it("leaves what is typed into an editor", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T", "a", "two\n");
    await stage.write("T", "new", "made\n");
    stage.documents.type("a", "two, and more");
    stage.documents.type("new", "made, and more");
    assert.deepEqual(await stage.undo("T"), ["a: left, changed", "new: left, changed"]);
    assert.deepEqual(stage.project, { a: "two\n", new: "made\n" });
  });

  it("names the later task that changed a file, and undoes them in that order", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T1", "a", "two\n");
    await stage.write("T2", "a", "three\n");
    const [left] = await stage.changes.undo("T1", stage.mayWrite);
    assert.ok(left?.type === "left" && left.why === "later");
    assert.deepEqual(
      [left.problem.code, left.problem.params],
      ["fileChangedByLaterTask", { path: "a", later: "T2" }],
    );
    assert.equal(stage.files.text("a"), "three\n");
    assert.deepEqual(await stage.undo("T2"), ["a: restored"]);
    assert.deepEqual(await stage.undo("T1"), ["a: restored"]);
    assert.equal(stage.files.text("a"), "one\n");
  });

  it("takes nothing from whoever changed a file while the task worked", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T", "a", "two\n");
    stage.files.put("a", "two\nmine\n");
    await stage.write("T", "a", "three\nmine\n");
    assert.deepEqual(await stage.undo("T"), ["a: left, mixed"]);
    assert.equal(stage.files.text("a"), "three\nmine\n");
  });

  it("goes on with a task that is undone and works again", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T", "a", "two\n");
    await stage.undo("T");
    stage.files.put("a", "mine\n");
    const again = new ChangesStage(stage.files);
    await again.write("T", "a", "three\n");
    assert.deepEqual(await again.undo("T"), ["a: restored"]);
    assert.equal(stage.files.text("a"), "mine\n");
  });

  it("writes a protected file only when somebody allows it", async () => {
    const stage = new ChangesStage({ "AGENTS.md": "ours\n", ".vscode/settings.json": "{}\n" });
    await stage.write("T", "AGENTS.md", "evil\n");
    await stage.write("T", ".vscode/settings.json", "[]\n");
    stage.answer = false;
    assert.deepEqual(await stage.undo("T"), [
      ".vscode/settings.json: left, protected",
      "AGENTS.md: left, protected",
    ]);
    assert.deepEqual(stage.asked, ["Restore .vscode/settings.json", "Restore AGENTS.md"]);
    assert.equal(stage.files.text("AGENTS.md"), "evil\n");
    stage.answer = true;
    await stage.undo("T");
    assert.equal(stage.files.text("AGENTS.md"), "ours\n");
  });

  it("keeps no copy of what lies outside the workspace, nor of the record of the work", async () => {
    const stage = new ChangesStage({ "/home/me/.bashrc": "secret\n" });
    await stage.write("T", "/home/me/.bashrc", "new\n");
    await stage.write("T", ".rooroo/tasks/T/findings.md", "# Findings\n");
    assert.deepEqual(await stage.undo("T"), ["/home/me/.bashrc: left, outside"]);
    assert.equal(stage.files.text("/home/me/.bashrc"), "new\n");
    assert.ok(!stage.files.paths.some((path) => stage.files.text(path) === "secret\n"));
    assert.equal(stage.files.text(".rooroo/tasks/T/changes/.gitignore"), "*\n");
  });

  it("restores what was before, wherever the process was killed, and whatever it did when it went on", async () => {
    const project = { a: "one\n", b: "1\n" };
    const steps: [string, string | undefined][] = [
      ["a", "two\n"],
      ["new", "made\n"],
      ["a", "three\n"],
      ["b", undefined],
      ["a", "four\n"],
    ];
    /** Does what is left to be done; answers whether it was killed. */
    const killedAt = async (files: MemoryFileSystem, at: number, progress: { done: number }) => {
      let calls = 0;
      files.beforeOperation = () => {
        if (++calls >= at) throw new Error("killed");
      };
      const stage = new ChangesStage(files);
      try {
        for (const [path, text] of steps.slice(progress.done)) {
          await stage.write("T", path, text);
          progress.done++;
        }
        return false;
      } catch {
        return true;
      } finally {
        delete files.beforeOperation;
      }
    };
    const undone = async (files: MemoryFileSystem, when: string) => {
      const copied = files.paths.map((path) => [path, files.text(path) ?? ""] as const);
      const stage = new ChangesStage(new MemoryFileSystem(Object.fromEntries(copied)));
      await stage.undo("T");
      assert.deepEqual(stage.project, project, when);
    };
    let at = 1;
    for (let goesOn = true; goesOn; at++) {
      const once = new MemoryFileSystem(project);
      goesOn = await killedAt(once, at, { done: 0 });
      await undone(once, `killed at operation ${at}`);
      for (const again of [...Array.from({ length: 25 }, (_, i) => i + 1), Infinity]) {
        const files = new MemoryFileSystem(project);
        const progress = { done: 0 };
        await killedAt(files, at, progress);
        await killedAt(files, again, progress);
        await undone(files, `killed at operation ${at}, then at ${again}`);
        await killedAt(files, Infinity, progress);
        await undone(files, `killed at operation ${at}, then at ${again}, then done`);
      }
    }
    assert.ok(at > 30, `${at} operations`);
  });

  it("makes no third thing of a file, wherever its log was cut off", async () => {
    const stage = new ChangesStage({ a: "one\n", b: "1\n" });
    await stage.write("T", "a", "two\n");
    await stage.write("T", "b", undefined);
    await stage.write("T", "a", "three\n");
    const path = ".rooroo/tasks/T/changes/log.jsonl";
    const whole = stage.files.text(path) ?? "";
    for (let length = 0; length <= whole.length; length++) {
      const copied = stage.files.paths.map((one) => [one, stage.files.text(one) ?? ""] as const);
      const cut = new ChangesStage({
        ...Object.fromEntries(copied),
        [path]: whole.slice(0, length),
      });
      await cut.undo("T");
      assert.ok(["one\n", "three\n"].includes(cut.project["a"] ?? ""), `cut at ${length}`);
      assert.ok(["1\n", undefined].includes(cut.project["b"]), `cut at ${length}`);
    }
  });

  it("does not show what a link in the place of a kept content leads to", async () => {
    const stage = new ChangesStage({ a: "one\n", "/home/me/key": "secret\n" });
    await stage.write("T", "a", "two\n");
    stage.files.link(".rooroo/tasks/T/changes/1", "/home/me/key");
    const [undone] = await stage.changes.undo("T", stage.mayWrite);
    assert.ok(undone?.type === "left" && undone.why === "failed");
    assert.equal(undone.problem.code, "changeFileLinked");
    assert.equal((await stage.changes.files(["T"]))[0]?.problem?.code, "changeFileLinked");
    assert.equal(stage.files.text("a"), "two\n");
  });

  it("writes nothing outside the workspace, nothing protected, and through no link, whatever a log says", async () => {
    const path = fc.constantFrom(
      "a",
      "b",
      "../x",
      "/home/me/x",
      "link/x",
      "AGENTS.md",
      ".git/config",
      "src/../.git/y",
      ".rooroo/queue.jsonl",
      ".rooroo/tasks/T/report.json",
      "folder",
      "",
      "\0",
    );
    const state = fc.oneof(
      fc.record({ kind: fc.constantFrom("absent", "unkept", "unknown") }),
      fc.record({
        kind: fc.constant("kept"),
        content: fc.constantFrom("1", "2", "9", "../../../../../home/me/x", "0", "x"),
        mode: fc.constantFrom(0o644, 0o777, 0o4777, -1),
      }),
    );
    const line = fc.oneof(
      fc.record({
        schema: fc.constant(1),
        at: fc.constant("2025-01-01T00:00:00.000Z"),
        type: fc.constantFrom("before", "after", "baseline", "settled"),
        path,
        state,
        how: fc.constant("kept"),
      }),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const text = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
        const stage = new ChangesStage({
          a: "one\n",
          "/home/me/x": "theirs\n",
          "AGENTS.md": "ours\n",
          ".git/config": "g\n",
          "folder/x": "x\n",
          ".rooroo/queue.jsonl": "q\n",
          ".rooroo/tasks/T/report.json": "{}\n",
          ".rooroo/tasks/T/changes/log.jsonl": text.join("\n"),
          ".rooroo/tasks/T/changes/1": "one\n",
        });
        stage.files.link("link", "/home/me");
        stage.files.link(".rooroo/tasks/T/changes/2", "/home/me/x");
        stage.answer = false;
        const safe = () =>
          stage.files.paths
            .filter((one) => !["a", "b"].includes(one) && !one.includes("/changes/"))
            .map((one) => `${one}: ${stage.files.text(one) ?? ""}`);
        const before = safe();
        await stage.undo("T");
        assert.deepEqual(safe(), before);
        assert.notEqual(stage.files.text("a"), "theirs\n");
      }),
    );
  });

  it("removes what writes of the task's files have left that were cut off, and nothing of other folders", async () => {
    const stage = new ChangesStage({ "src/a": "one\n" });
    await stage.write("T", "src/a", "two\n");
    const left = (name: string) => temporaryName(name, "00000000ffffffff", "01234567");
    const kept = { [`src/deep/${left("a")}`]: "half", [left("a")]: "half", "src/.a.tmp": "mine" };
    for (const [path, text] of Object.entries(kept)) stage.files.put(path, text);
    stage.files.put(`src/${left("a")}`, "half");
    assert.deepEqual(await stage.undo("T"), ["src/a: restored"]);
    assert.deepEqual(stage.project, { ...kept, "src/a": "one\n" });
  });

  const log = ".rooroo/tasks/T/changes/log.jsonl";

  it("says which lines of a damaged log cannot be read, and undoes what the others tell of", async () => {
    const stage = new ChangesStage({ a: "one\n", b: "one\n" });
    await stage.write("T", "a", "two\n");
    await stage.write("T", "b", "two\n");
    assert.deepEqual(await stage.changes.damage(["T"]), []);
    const lines = stage.files.text(log)!.trimEnd().split("\n");
    stage.files.put(log, [...lines.slice(0, 2), "{torn", "null", ...lines.slice(3)].join("\n"));
    assert.deepEqual(await stage.changes.damage(["T"]), [
      `Lines 3, 4 of ${log} cannot be read: the log is damaged. What the readable lines tell of can be undone; other files stay as they are.`,
    ]);
    assert.deepEqual(await stage.undo("T"), ["a: restored"]);
    assert.deepEqual(stage.project, { a: "one\n", b: "two\n" });
  });

  it("bears a line of the log that a kill has cut off anywhere, at its end and between others", async () => {
    const stage = new ChangesStage({ a: "one\n", b: "one\n" });
    await stage.write("T", "a", "two\n");
    const whole = stage.files.text(log)!;
    await stage.write("T", "b", "two\n");
    const added = stage.files.text(log)!.slice(whole.length);
    for (let length = 1; length < added.length; length++) {
      const cut = added.slice(0, length);
      for (const torn of [cut, whole + cut, `${whole}${cut}\n${whole}`]) {
        stage.files.put(log, torn);
        assert.deepEqual(await stage.restarted().changes.damage(["T"]), [], torn);
      }
    }
    stage.files.put(log, whole + added.slice(0, added.length / 3));
    stage.files.put("b", "one\n");
    assert.deepEqual(await stage.restarted().undo("T"), ["a: restored"]);
  });

  it("says that a log is gone whose contents are there", async () => {
    const stage = new ChangesStage({ a: "one\n" });
    await stage.write("T", "a", "two\n");
    for (const how of ["empty", "missing"]) {
      if (how === "empty") stage.files.put(log, "\n");
      else await stage.files.removeFile(log);
      const [words] = await stage.changes.damage(["T"]);
      assert.match(words!, /log\.jsonl is missing or empty/);
      assert.deepEqual(await stage.undo("T"), []);
    }
    assert.deepEqual(await stage.changes.damage(["U"]), [], "a task without changes");
  });

  it("says of a log that is no file that it is none, and undoes other tasks all the same", async () => {
    const stage = new ChangesStage({ [`${log}/x`]: "", a: "one\n" });
    await assert.rejects(stage.undo("T"), { code: "changeLogUnreadable" });
    await stage.write("U", "a", "two\n");
    stage.files.put("a", "three\n");
    assert.deepEqual(await stage.undo("U"), ["a: left, changed"]);
  });
});
