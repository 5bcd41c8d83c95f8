import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decide } from "../../../../src/core/approvals/policy.js";
import { spoken } from "../../../../src/core/text/words.js";
import { CommandStage } from "./commandStage.js";

const path = join(import.meta.dirname, "../../../../../test/unit/core/commands/cases.jsonl");
const harmless = readFileSync(path, "utf8")
  .trim()
  .split("\n")
  .map((text) => JSON.parse(text) as { readonly kind: string; readonly line: string })
  .filter(({ kind }) => kind === "harmless");

/** What people run all day to build and test. */
const builds = [
  "npm test",
  "npm run build",
  "npx tsc -p .",
  "pytest",
  "python3 -m unittest",
  "go test ./...",
  "cargo test",
  "make",
];

describe("commands under the preset “sandbox”, where there is a sandbox", () => {
  const stage = new CommandStage(false);

  /** Returns those that are asked about, each with the reason; all others have to run in the sandbox. */
  async function askedAbout(lines: readonly string[]): Promise<string[]> {
    const asked: string[] = [];
    for (const line of lines) {
      const decision = decide(
        {
          access: "command",
          title: line,
          command: line,
          path: "",
          inside: true,
          ...(await stage.review(line)),
          preview: { kind: "command", text: line },
        },
        { preset: "sandbox", sandbox: { hosts: [] } },
        false,
        { mayChangeProject: true, isOwn: (path) => path.startsWith(".rooroo/tasks/T/") },
      );
      assert.notEqual(decision.type, "deny", line);
      if (decision.type === "ask") asked.push(`${line}: ${spoken(decision.why)}`);
      else assert.equal(decision.sandbox?.keeps, "project", line);
    }
    return asked;
  }

  it("are asked about in at most 3 % of harmless cases", async () => {
    const asked = await askedAbout(harmless.map(({ line }) => line));
    const percent = (asked.length / harmless.length) * 100;
    process.stdout.write(
      `  of ${harmless.length} harmless commands ${percent.toFixed(1)} % are asked about\n`,
    );
    assert.ok(percent <= 3, asked.join("\n"));
  });

  it("are not asked about where they build and test", async () => {
    assert.deepEqual(await askedAbout(builds), []);
  });
});
