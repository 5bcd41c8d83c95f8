import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const scripts = join(import.meta.dirname, "../../../../scripts/trace");
// Scripts are not compiled, so they are found from the root and not from here.
const load = async (name: string) =>
  (await import(pathToFileURL(join(scripts, name)).href)) as unknown;
const { faultsOfPromises } = (await load("promises.mjs")) as {
  faultsOfPromises: (page: string, titles: ReadonlySet<string>) => string[];
};
const { titlesIn } = (await load("titlesIn.mjs")) as { titlesIn: (source: string) => string[] };

const titles = new Set(["a wall stands", 'a door says "no": always']);
const faults = (...lines: readonly string[]) => faultsOfPromises(lines.join("\n"), titles);
const held = '<!-- held by\n"a wall stands" -->';

describe("the tests that a page names for its promises", () => {
  it("are those of each paragraph, item and row, in comments behind them", () => {
    const page = [
      `Nothing gets in. ${held}`,
      "",
      "- No wind. <!-- held by",
      '  "a wall stands"',
      '  "a door says "no": always" -->',
      `- No rain. ${held}`,
      "",
      "  A chair. <!-- no promise -->",
      "",
      "| who | may |",
      "| --- | --- |",
      "| `you` | all |",
      "| me | sit |",
      "",
      "<!-- held by",
      '`you`: "a wall stands"',
      "me: no promise -->",
      "",
      "```",
      "code",
      "```",
      "",
      "## What is not promised <!-- no promise -->",
      "",
      "A roof.",
      "",
      "## More",
      "",
      `Nothing gets out. ${held}`,
    ];
    assert.deepEqual(faults(...page), []);
  });

  it("are missed where a paragraph, an item or a row has none", () => {
    assert.deepEqual(faults("Nothing gets in.", "", `- No wind. ${held}`, "- No rain."), [
      "1: no test is named for “Nothing gets in.”",
      "5: no test is named for “No rain.”",
    ]);
    const table = ["| who | may |", "| --- | --- |", "| you | all |", "| me | sit |"];
    const missed = "1: no test is named for the row “me”";
    assert.deepEqual(faults(...table, "", '<!-- held by\nyou: "a wall stands" -->'), [missed]);
    assert.equal(faults(...table, "", `Nothing. ${held}`).length, 2);
    assert.equal(faults("## One <!-- no promise -->", "", "## Two", "", "Nothing.").length, 1);
  });

  it("are refused where no test has the title, and where the comment would be shown or lost", () => {
    const comment = (...lines: readonly string[]) => faults(`Nothing. <!-- held by`, ...lines);
    assert.deepEqual(comment('"a wall falls" -->'), ["1: no test has the title “a wall falls”"]);
    assert.deepEqual(comment('"a wall" -->'), ["1: no test has the title “a wall”"]);
    assert.match(comment("a wall stands -->").join(), /no title in quotes/);
    assert.match(comment('"a -- wall" -->').join(), /two hyphens/);
    assert.match(faults(`Nothing. ${held}`, "", held).join(), /stands apart/);
  });
});

describe("the full titles of tests", () => {
  it("are those of the groups around each, then its own", () => {
    const source = [
      'describe("a house", () => {',
      '  it("stands", () => {});',
      '  describe("its door", () => {',
      "    for (const name of names) {",
      "      it(`opens for ${name}`, () => {});",
      "    }",
      "  });",
      "  it(",
      '    "has a \\"roof\\"",',
      "    () => {},",
      "  );",
      "});",
      'await describeSandboxed("a yard", () => {',
      "  it('is there', () => {});",
      "});",
    ].join("\n");
    assert.deepEqual(titlesIn(source), [
      "a house stands",
      "a house its door opens for ${name}",
      'a house has a "roof"',
      "a yard is there",
    ]);
  });
});
