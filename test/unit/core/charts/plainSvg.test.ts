import assert from "node:assert/strict";
import fc from "fast-check";
import { plainSvg } from "../../../../src/core/charts/plainSvg.js";

const svg = (inner: string) => `<svg width="1" height="1">${inner}</svg>`;

describe("plainSvg", () => {
  it("keeps shapes and texts, and nothing that a page has no use for", () => {
    const given = svg(
      '<g class="a" role="x" pointer-events="none"><path d="M0.123456,1h2" opacity="1" fill="var(--text)"/><path d=""/><text x="1">a &lt; b</text><text opacity="0">no room</text></g>',
    );
    assert.equal(
      plainSvg(given),
      svg('<g><path d="M0.12,1h2" fill="var(--text)"/><text x="1">a &lt; b</text></g>'),
    );
  });

  it("makes what a shape is called its title", () => {
    const titled = '<path aria-label="May: 3 &amp; more" d="M0,0h1"/>';
    assert.equal(
      plainSvg(svg(titled)),
      svg('<path d="M0,0h1"><title>May: 3 &amp; more</title></path>'),
    );
  });

  it("refuses what does more than draw", () => {
    const bad = [
      "<script>x</script>",
      "<image/>",
      "<a>x</a>",
      "<foreignObject/>",
      "<style>x</style>",
      "<use/>",
      '<path fill="url(https://evil.test)"/>',
      '<path fill="URL( //evil.test)"/>',
      "<!-- x -->",
      "<![CDATA[x]]>",
      "<g>",
      "</g>",
      "<g></path>",
      '<path d="a"b/>',
      "<path d='a'/>",
      "<path d=a/>",
      "<",
    ];
    for (const inner of bad) assert.throws(() => plainSvg(svg(inner)), /drawing/, inner);
  });

  it("drops what acts or leads elsewhere", () => {
    const given =
      '<path d="M0,0h1" onclick="x()" href="https://evil.test" xlink:href="x" style="x"/>';
    assert.equal(plainSvg(svg(given)), svg('<path d="M0,0h1"/>'));
  });

  it("lets nothing through by chance", () => {
    const part = fc.constantFrom(
      ..."<>/\"'= abgpathdxonclick:url(#)svg&;!-".split(""),
      "<path ",
      "<g>",
      "</g>",
      'd="',
      "script",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        let plain;
        try {
          plain = plainSvg(svg(parts.join("")));
        } catch {
          return;
        }
        assert.doesNotMatch(plain, /<(?!\/?(svg|g|path|title)\b)|\son\w+=|href|url\((?!#)/);
      }),
      { numRuns: 1000 },
    );
  });
});
