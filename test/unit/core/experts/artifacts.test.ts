import assert from "node:assert/strict";
import {
  chosenArtifacts,
  type FolderEntry,
  receiveArtifacts,
  type SentFile,
} from "../../../../src/core/experts/artifacts.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

const folder = ".rooroo/tasks/ROO#TASK_1";
const entry = (name: string, bytes = 1): FolderEntry => ({
  path: `${folder}/${name}`,
  kind: "file",
  bytes,
});
const names = (found: readonly { path: string }[]) =>
  found.map(({ path }) => path.slice(folder.length + 1));

function sent(name: string, text: string): SentFile {
  const content = new TextEncoder().encode(text);
  const read = () => Promise.resolve(content);
  return { ...entry(name, content.length), isExecutable: false, read };
}

describe("the files of a task's folder that go to another machine", () => {
  it("are at most so many, and so much, the same whatever the order", () => {
    const many = Array.from({ length: 2_001 }, (_, i) => entry(`${10_000 + i}`));
    for (const given of [many, many.toReversed()]) {
      const { sent, left } = chosenArtifacts(given, folder);
      assert.equal(sent.length, 2_000);
      assert.deepEqual(left, [{ path: `${folder}/12000`, why: "tooMuch", bytes: 1 }]);
    }
    const big = [entry("a", 40e6), entry("b", 40e6), entry("c", 40e6), entry("d", 20e6)];
    const { sent, left } = chosenArtifacts([...big, entry("e", 50e6 + 1)], folder);
    assert.deepEqual(names(sent), ["a", "b", "d"]);
    assert.deepEqual(left, [
      { path: `${folder}/c`, why: "tooMuch", bytes: 40e6 },
      { path: `${folder}/e`, why: "tooBig", bytes: 50e6 + 1 },
    ]);
  });

  it("are in the folder, and none that code keeps or that tools act on", () => {
    const kept =
      "context.md transcript.jsonl task.json report.json question.json approval.json asked.json undone.json compact.json message-m1.json plan-queued.json changes/log.jsonl Report.JSON";
    const outside = ["../other/a.md", "a/../../b.md", "./a.md", "a//b.md", ""];
    const acted = [".vscode/tasks.json", ".git/config", "CLAUDE.md", "a\\..\\b", "git~1"];
    const given = [...kept.split(" "), ...outside, ...acted, "notes/task.json"].map((name) =>
      entry(name),
    );
    const elsewhere = { path: ".rooroo/tasks/ROO#TASK_12/a.md", kind: "file", bytes: 1 } as const;
    const { sent, left } = chosenArtifacts([...given, elsewhere], folder);
    assert.deepEqual(names(sent), ["notes/task.json"]);
    const why = (is: string) => left.filter((one) => one.why === is).length;
    assert.deepEqual([why("outside"), why("protected")], [outside.length + 1, acted.length]);
  });

  it("never replace a file here, and come no other way than a straight one", async () => {
    const files = new MemoryFileSystem({
      [`${folder}/mine.md`]: "mine",
      [`${folder}/same.md`]: "same",
      "secret/a.md": "secret",
    });
    files.link(`${folder}/up`, "../../../secret");
    files.link(`${folder}/out`, "/elsewhere");
    const given = [
      sent("mine.md", "theirs"),
      sent("same.md", "same"),
      sent("up/b.md", "x"),
      sent("out/c.md", "x"),
      sent("new/a.md", "new"),
    ];
    for (let times = 1; times <= 2; times++) {
      const left = await receiveArtifacts(given, folder, files);
      assert.deepEqual(names(left), ["mine.md", "out/c.md", "up/b.md"]);
      assert.ok(left.every(({ why }) => why === "taken"));
    }
    assert.equal(files.text(`${folder}/mine.md`), "mine");
    assert.equal(files.text(`${folder}/new/a.md`), "new");
    assert.equal(files.text("secret/b.md"), undefined);
  });
});
