import assert from "node:assert/strict";
import fc from "fast-check";
import { globPattern } from "../../../../src/core/text/globPattern.js";

describe("a glob", () => {
  it("is read as shells read it, and stands for the whole path", () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ["*.md", "a.md", true],
      ["*.md", "docs/a.md", false],
      ["docs/*", "docs/a.md", true],
      ["docs/*", "docs/sub/a.md", false],
      ["**/*.md", "a.md", true],
      ["**/*.md", "x/y/a.md", true],
      ["docs/**", "docs/x/y.md", true],
      ["docs/**/a?.md", "docs/a1.md", true],
      ["docs/**/a?.md", "docs/a.md", false],
      ["**/x/**/z", "x/x/y/z", true],
      ["**/x/**/z", "y/z", false],
      ["*a*b*", "xaxxb", true],
      ["*a*b*", "xb", false],
      ["{src,test}/**/*.{ts,js}", "test/x/a.js", true],
      ["{src,test}/**/*.{ts,js}", "lib/a.js", false],
      ["[a-c].md", "b.md", true],
      ["[!a-c].md", "b.md", false],
      ["[^a-c].md", "d.md", true],
      ["[]x].md", "].md", true],
      ["[z-a].md", "[z-a].md", true],
      ["[", "[", true],
      ["a+(b).md", "a+(b).md", true],
      ["?.md", "🐝.md", true],
    ];
    for (const [glob, path, fits] of cases) {
      assert.equal(globPattern(glob)(path), fits, `${glob} ${path}`);
    }
  });

  it("without wildcards is one path, and whatever it is it can be asked", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", ".", " ", "+", "("), minLength: 1 });
    const path = fc.array(name, { minLength: 1 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(path, path, fc.string(), (one, other, any) => {
        assert.equal(globPattern(one)(other), one === other);
        assert.ok(globPattern("**")(one));
        assert.equal(typeof globPattern(any.slice(0, 12))(other), "boolean");
      }),
    );
  });

  it("needs no more time for a pattern that nearly fits everywhere", () => {
    const fits = globPattern(`${"*a".repeat(60)}b/${"**/a/".repeat(30)}b`);
    assert.equal(fits(`${"a".repeat(250)}/${"a/".repeat(500)}c`), false);
  });
});
