import assert from "node:assert/strict";
import fc from "fast-check";
import { applyDiff } from "../../../../../src/core/tools/editing/applyDiff.js";
import { editFile } from "../../../../../src/core/tools/editing/editFile.js";
import { tries } from "../../../../fakes/tries.js";
import { type Attempt, mistakes } from "../corpus/mistakes.js";
import { sources } from "../corpus/sources.js";
import { ToolWorld } from "../toolWorld.js";

async function attempted(path: string, attempt: Attempt) {
  const { before, tool, search, replace, startLine, diffEnds = "\n" } = attempt;
  const world = new ToolWorld({ [path]: before });
  const hint = startLine === undefined ? [] : [`:start_line:${startLine}`, "-------"];
  const diff = ["<<<<<<< SEARCH", ...hint, ...search, "=======", ...replace, ">>>>>>> REPLACE"];
  const { content } =
    tool === "apply_diff"
      ? await world.use(applyDiff, { path, diff: diff.join(diffEnds) })
      : await world.use(editFile, {
          path,
          old_text: search.join("\n"),
          new_text: replace.join("\n"),
        });
  return { now: await world.files.readFile(path), content };
}

describe("edits as models send them", () => {
  let count = 0;
  for (const [name, mistake] of Object.entries(mistakes)) {
    it(`make exactly the intended bytes, or change nothing: ${name}`, async () => {
      let applied = 0;
      for (const source of sources) {
        for (const edit of source.edits) {
          const attempt = mistake(source, edit);
          if (!attempt) continue;
          applied++;
          const { now, content } = await attempted(source.path, attempt);
          const where = `${source.path}:${edit.line}\n${content}`;
          const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
          const expected = attempt.after ?? attempt.before;
          if (!Buffer.from(now ?? []).equals(expected)) {
            assert.equal(text(now), text(expected), where);
            assert.deepEqual(now, expected, where);
          }
          if (attempt.words) assert.match(content, attempt.words, where);
        }
      }
      assert.ok(applied > 0);
      count += applied;
    });
  }

  it("are many", () => {
    assert.ok(count >= 150, `${count} edits`);
  });

  it("make exactly the intended bytes, or change nothing, with several mistakes at once", async () => {
    const small = sources.filter(({ lines }) => lines.length < 100);
    const chosen = fc.constantFrom(...small).chain((source) =>
      fc.record({
        source: fc.constant(source),
        edit: fc.constantFrom(...source.edits),
        dedent: fc.boolean(),
        numbers: fc.boolean(),
        blanks: fc.boolean(),
        empty: fc.boolean(),
        crlf: fc.boolean(),
        startLine: fc.option(fc.nat(60), { nil: undefined }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(chosen, async ({ source, edit, ...spoilt }) => {
        const right = mistakes["none"]?.(source, edit);
        assert.ok(right?.after);
        const all = [...right.search, ...right.replace].filter((line) => line.trim() !== "");
        const shared = Math.min(...all.map((line) => line.length - line.trimStart().length));
        const spoil = (line: string, index: number) => {
          const bare = spoilt.dedent ? line.slice(shared) : line;
          const blank = spoilt.blanks && index % 2 === 0 ? `${bare} ` : bare;
          return spoilt.numbers ? `${edit.line + index} | ${blank}` : blank;
        };
        const around = spoilt.empty && !spoilt.numbers ? [""] : [];
        const ends = (bytes: Uint8Array) =>
          spoilt.crlf
            ? new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll("\n", "\r\n"))
            : bytes;
        const { now } = await attempted(source.path, {
          ...right,
          before: ends(right.before),
          search: [...around, ...right.search.map(spoil), ...around],
          replace: [...around, ...right.replace.map((line) => spoil(line, 1)), ...around],
          ...(spoilt.startLine === undefined ? {} : { startLine: spoilt.startLine }),
        });
        const bytes = Buffer.from(now ?? []);
        assert.ok(
          bytes.equals(ends(right.after)) || bytes.equals(ends(right.before)),
          bytes.toString(),
        );
      }),
      { numRuns: tries(150) },
    );
  });
});
