import assert from "node:assert/strict";
import { cutDiff } from "../../../../src/core/text/cutDiff.js";

function part(name: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, index) => `+line ${index} of it\n`).join("");
  return `diff --git a/${name} b/${name}\n@@ -0,0 +1,${lines} @@\n${body}`;
}

describe("a diff that is cut", () => {
  it("stays as it is where it fits", () => {
    const diff = part("a.js", 3) + part("b.js", 3);
    assert.deepEqual(cutDiff(diff, diff.length), { text: diff, cut: [] });
  });

  it("keeps small files whole, and of large ones as many whole lines as there is room for", () => {
    const [small, large] = [part("small file.js", 2), part("src/large.js", 500)];
    const { text, cut } = cutDiff(large + small, 1_000);
    assert.deepEqual(cut, ["src/large.js"]);
    assert.ok(text.endsWith(small));
    const [, kept = "", left = ""] =
      /((?:\+line \d+ of it\n)+)\(cut here: (\d+) more lines/.exec(text) ?? [];
    assert.equal(kept.split("\n").length - 1 + Number(left), 500);
    assert.ok(text.length < 1_100, String(text.length));
  });

  it("gives large files equal shares, and names a file whose every line is too long", () => {
    const long = `diff --git a/min.js b/min.js\n+${"x".repeat(5_000)}\n`;
    const { text, cut } = cutDiff(part("a.js", 400) + part("b.js", 400) + long, 3_000);
    assert.deepEqual(cut, ["a.js", "b.js", "min.js"]);
    const [a = [], b = []] = ["a", "b"].map((name) =>
      text.split(`b/${name}.js\n`)[1]?.split("(cut")[0]?.split("\n"),
    );
    assert.equal(a.length, b.length);
    assert.match(
      text,
      /diff --git a\/min\.js b\/min\.js\n\(cut here: 1 more line of this file\)\n$/,
    );
  });

  it("does not take a line of a file for another file's beginning", () => {
    const diff = `diff --git a/a.js b/a.js\n+diff --git a/x b/x\n-diff --git a/y b/y\n${"+1\n".repeat(500)}`;
    assert.deepEqual(cutDiff(diff, 200).cut, ["a.js"]);
  });
});
