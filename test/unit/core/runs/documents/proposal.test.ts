import assert from "node:assert/strict";
import fc from "fast-check";
import { cellText } from "../../../../../src/core/documents/tableCell.js";
import {
  changedProposal,
  proposalContent,
  proposalText,
  readProposal,
  wantedChange,
} from "../../../../../src/core/runs/documents/proposal.js";
import { RunLayout } from "../../../../../src/core/runs/documents/runLayout.js";
import {
  declinedFolders,
  type MaterialFolder,
  materialLines,
} from "../../../../../src/core/runs/work/material.js";
import { defaultPhases, phasesOf } from "../../../../../src/core/runs/work/prepareRun.js";

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "|",
        "\n",
        "\r",
        "| content | x |\n|-|-|",
        "# x",
        "```",
        "<!--",
        "\\",
        "<br>",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(""));

/** Returns what the proposal says of a file of such a name. */
const listed = (name: string) => {
  const file = { path: `assets/${name}`, size: 1, summary: "", beginning: "" };
  const folder = { folder: "assets", type: "ORIGINAL_INPUT", isAdditional: true } as const;
  return materialLines([{ ...folder, files: [file] }], "");
};

/** A request in each language in which code writes documents, and the heading of its first section. */
const requests = {
  en: ["Write a report about the year for the board", "## What you asked for"],
  de: ["Schreibe einen Bericht über das Jahr für die Leitung", "## Was Sie verlangt haben"],
  es: ["Escribe un informe del año para la junta", "## Lo que ha pedido"],
  ja: ["今年の報告書を書いてください", "## 依頼の内容"],
  zh: ["请写一份年度报告", "## 您的要求"],
};

describe("a proposal", () => {
  it("[R-MV-12] says what code reads from it, whatever stands in it", () => {
    const instruction = fc.record({
      type: words,
      content: words,
      justification: words,
      supersedes: fc.array(fc.constantFrom("I1", "I2"), { maxLength: 2 }),
    });
    const proposals = fc.record({
      summary: words,
      conflicts: fc.array(words, { maxLength: 2 }),
      questions: fc.array(words, { maxLength: 2 }),
      instructions: fc.uniqueArray(instruction, {
        minLength: 1,
        maxLength: 3,
        selector: ({ content }) => cellText(content),
      }),
    });
    fc.assert(
      fc.property(proposals, words, words, (proposal, request, name) => {
        fc.pre(proposal.instructions.every(({ content }) => cellText(content) !== ""));
        const text = proposalText("run-1", request, proposal, listed(name));
        const expected = proposal.instructions.map(
          ({ type, content, supersedes, justification }) => ({
            type: cellText(type),
            content: cellText(content),
            supersedes,
            justification: cellText(justification),
          }),
        );
        assert.deepEqual(readProposal("f", text), expected);
        assert.deepEqual(readProposal("f", changedProposal(text, request)), expected);
      }),
    );
  });

  for (const [language, [request = "", heading = ""]] of Object.entries(requests)) {
    it(`is written in the language of its request, and read again, as in ${language}`, () => {
      const layout = new RunLayout("multiverse");
      const own = { type: "ORIGINAL_INPUT", folder: layout.assets, files: [], isAdditional: false };
      const file = { path: `${layout.otherAssets}/a.md`, size: 1, summary: "", beginning: "" };
      const other = { ...own, folder: layout.otherAssets!, files: [file], isAdditional: true };
      const material = materialLines([own, other] as MaterialFolder[], request);
      const instruction = { type: "goal", content: "b", supersedes: [], justification: "c" };
      const proposal = {
        summary: "SUMMARY",
        instructions: [instruction],
        conflicts: ["CONFLICT"],
        questions: ["QUESTION"],
      };
      const text = proposalText("run-1", request, proposal, material);
      assert.ok(text.includes(`\n${heading}\n`));
      const isEnglish = /\b(?:you|the|are|has|files?|questions?)\b/i.test(
        text.replace(request, "").replace("QUESTION", ""),
      );
      assert.equal(isEnglish, language === "en", text);
      const content = proposalContent("run-1", "p.md", text);
      assert.deepEqual(content.request, request);
      assert.deepEqual(
        [content.summary, content.conflicts, content.questions, content.problem],
        ["SUMMARY", ["CONFLICT"], ["QUESTION"], ""],
      );
      assert.equal(wantedChange(changedProposal(text, request)), request);
      assert.deepEqual(declinedFolders(layout, text), []);
      const [, line = ""] = material;
      assert.deepEqual(declinedFolders(layout, text.replace(`${line}\n`, "")), [
        layout.otherAssets,
      ]);
    });
  }

  it("names the line of what a person has broken in it", () => {
    const instruction = { type: "a", content: "b", supersedes: [], justification: "c" };
    const proposal = { summary: "s", instructions: [instruction], conflicts: [], questions: [] };
    const text = proposalText("run-1", "r", proposal, ["- `assets/` has no files."]);
    const problem = (broken: string) => {
      try {
        return JSON.stringify(readProposal("f", broken));
      } catch (error) {
        return String(error);
      }
    };
    assert.match(
      problem(text.replace("| b |", "| |")),
      /^UserError: f:23: This row has no content/,
    );
    assert.match(problem(text.replace("| b | a |  | c |\n", "")), /f has no instruction/);
    assert.match(problem("x"), /f:1: There is no table with a column content/);
    assert.deepEqual(
      readProposal("f", text.replace("| a |  |", "| a | I1; I2,I3 |"))[0]?.supersedes,
      ["I1", "I2", "I3"],
    );
  });
});

describe("the template of phases", () => {
  it("[R-MV-13] has the four phases in order, and their purposes as somebody words them", () => {
    const names = ["ANALYZING", "STRATEGIZING", "REFINING_CONTENT", "GENERATING_OUTPUT"];
    for (const text of [defaultPhases, "", "nonsense"]) {
      assert.deepEqual(phasesOf(text), phasesOf(defaultPhases));
    }
    const own = defaultPhases.replace(/(STRATEGIZING \|).*/, "$1 Ours |") + "| DREAMING | x |\n";
    assert.deepEqual(
      phasesOf(own).map(({ name }) => name),
      names,
    );
    assert.equal(phasesOf(own)[1]?.purpose, "Ours");
    // Each phase answers a question of its own, and leads to the next.
    assert.deepEqual(
      phasesOf("").map(({ purpose }) => purpose.split("?")[0]),
      ["What is there", "What follows from it", "How does it go deeper", "What is handed over"],
    );
    const [analysis, strategy, content, output] = phasesOf("").map(({ purpose }) => purpose);
    assert.match(analysis ?? "", /Gather the facts of the material/);
    assert.match(strategy ?? "", /Decide the direction, from the facts/);
    assert.match(content ?? "", /Work facts and direction into content/);
    assert.match(output ?? "", /Plan how the parts go together, make them, and publish/);
  });
});
