import assert from "node:assert/strict";
import {
  askInJobFile,
  readJobFile,
  withDecision,
  withoutAnswered,
} from "../../../../../src/core/jobs/documents/jobFile.js";
import { sample, sampleNames } from "./samples.js";

const read = (name: string) => readJobFile(sample(name));
const asked = {
  id: "Q-7",
  toUser: "I went on with what seemed best.",
  question: "By day, or by place?",
  placeholder: "Write here.",
};

describe("job file", () => {
  it("[R-JIXO-32] reads name, dir or dirs, agents, model, and the goal", () => {
    const told = (name: string) => {
      const { name: own, dirs, agents, model, goal } = read(name);
      return [own, dirs, agents, model, goal];
    };
    assert.deepEqual(told("plain.job.md"), [
      "importer",
      ["src/importer", "test/importer"],
      ["coder"],
      "big-one",
      "# Move the importer\n\nMove the importer into a package of its own.",
    ]);
    assert.deepEqual(told("oneDir.job.md"), [
      "one folder",
      ["./docs"],
      [],
      undefined,
      "Keep the pages up to date.",
    ]);
    assert.deepEqual(told("bare.job.md"), [undefined, [], [], undefined, "Count all the words."]);
    assert.deepEqual(told("old.task.md"), [undefined, ["src"], [], undefined, "Rename things."]);
  });

  it("[R-JIXO-25] tells open questions from answered ones, in any language", () => {
    const told = (name: string) =>
      read(name).clarifications.map(({ id, question, answer }) => [id, question, answer]);
    const question = "By day, or by place?";
    assert.deepEqual(told("open.job.md"), [["Q-1", question, undefined]]);
    assert.deepEqual(told("answered.job.md"), [
      ["Q-1", question, "By day.\nWithin a day by hour."],
      ["Q-2", "Which folder?", undefined],
    ]);
    assert.deepEqual(told("answeredFreely.job.md"), [["Q-1", question, "by place, please"]]);
    assert.deepEqual(told("translated.job.md"), [["Q-1", "按日期还是按地点？", "按日期"]]);
    assert.deepEqual(told("twoAtOnce.job.md"), [
      ["a", "First?", "Yes."],
      ["b", "Second?", "No."],
    ]);
    assert.deepEqual(told("unclosed.job.md"), [["a", "First?", "Yes, first."]]);
    assert.deepEqual(told("example.job.md"), []);
    const begun = sample("open.job.md").replace("Write here. -->", "Write here.");
    assert.equal(readJobFile(begun).clarifications[0]?.answer, undefined);
  });

  it("[R-JIXO-25] adds a question at the absolute end, byte for byte as the protocol has it", () => {
    const block =
      "\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: Q-7\n**To User**: I went on with what seemed best.\n\n" +
      "**Question**:\n- By day, or by place?\n\n**Response**:\n- <!-- Write here. -->\n---\n";
    for (const name of [...sampleNames(".job.md"), ...sampleNames(".task.md")]) {
      const before = sample(name);
      const nl = before.includes("\r\n") ? "\r\n" : "\n";
      const gap = before.endsWith("\n") ? "" : nl;
      const after = askInJobFile(readJobFile(before), asked);
      assert.equal(after.lines.text, before + gap + block.replaceAll("\n", nl), name);
    }
    assert.throws(() => askInJobFile(read("open.job.md"), { ...asked, id: "Q-1" }), {
      code: "questionExists",
    });
    // A placeholder cannot end its comment, which would look like an answer.
    const odd = askInJobFile(readJobFile("Go.\n"), { ...asked, placeholder: "Here --> or there" });
    assert.deepEqual(
      odd.clarifications.map(({ answer }) => answer),
      [undefined],
    );
    assert.throws(() => askInJobFile(readJobFile("```\nopen"), asked), {
      code: "questionUnwritable",
    });
  });

  it("[R-JIXO-25] takes out an answered question with its block, an open one never", () => {
    const after = withoutAnswered(read("answered.job.md"), "Q-1");
    const [start, end] = ["# Sort the photos\n", "\nOne more wish: no copies.\n"];
    assert.ok(after.lines.text.startsWith(start + end));
    assert.throws(() => withoutAnswered(after, "Q-2"), { code: "questionUnanswered" });
    assert.throws(() => withoutAnswered(after, "Q-1"), { code: "questionUnknown" });
    const other = withoutAnswered(read("twoAtOnce.job.md"), "a");
    assert.deepEqual(
      other.clarifications.map(({ id, answer }) => [id, answer]),
      [["b", "No."]],
    );
    assert.equal(withoutAnswered(other, "b").lines.text, "Go.\n");
    // Of a block without an end, the next rule is the next block's.
    const text = sample("twoAtOnce.job.md");
    const torn = readJobFile(text.replace("Yes.\n---\n", "Yes.\n"));
    assert.equal(
      withoutAnswered(torn, "a").lines.text,
      withoutAnswered(readJobFile(text), "a").lines.text,
    );
    const unclosed = withoutAnswered(read("unclosed.job.md"), "a");
    assert.equal(unclosed.lines.text, "Go.\n\n## More\n\nKeep this.\n");
  });

  it("[R-JIXO-23] keeps decisions in a list at the end of the goal, before the open questions", () => {
    const decide = (text: string, question = "Sea?", answer = "Hills,\nand\n# soon") =>
      withDecision(readJobFile(text), { question, answer }).lines.text;
    const item = "- Sea? → Hills, and # soon";
    assert.equal(decide("Go.\n"), `Go.\n\n## Decided\n\n${item}\n`);
    assert.equal(decide("Go.\r\n"), `Go.\r\n\r\n## Decided\r\n\r\n${item}\r\n`);
    assert.equal(decide("Go."), `Go.\n\n## Decided\n\n${item}`);
    assert.equal(decide(""), `## Decided\n\n${item}\n`);
    const twice = decide(decide("Go.\n"), "When?", "Now");
    assert.equal(twice, `Go.\n\n## Decided\n\n${item}\n- When? → Now\n`);
    const german = "Plane die Reise, die mit dem Zug und nicht von hier beginnt.\n";
    const once = decide(german);
    assert.equal(once, `${german}\n## Entschieden\n\n${item}\n`);
    assert.equal(decide(once, "When?", "Now"), `${once}- When? → Now\n`);
    // A person has made the section, and goes on below it.
    const own = "Go.\n\n## Decided\n\n## Later\n\nMore.\n";
    assert.equal(decide(own), own.replace("## Decided\n", `## Decided\n\n${item}\n`));
    const open = sample("open.job.md");
    const after = readJobFile(decide(open));
    assert.ok(after.lines.text.endsWith(open.slice(open.indexOf("\n---\n### JIXO"))));
    assert.ok(after.goal.endsWith(item));
    assert.throws(() => decide("```\nopen"), { code: "decisionUnwritable" });
  });
});
