import assert from "node:assert/strict";
import fc from "fast-check";
import { foreignPage } from "../../../src/protocol/foreignPage.js";
import { readPage } from "../../fakes/readPage.js";

describe("foreignPage", () => {
  it("has its own policy come first", () => {
    const page = foreignPage(
      "\uFEFF<!DOCTYPE html><html lang=de><head><title>T</title></head><body>x",
    );
    assert.match(
      page,
      /^<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; /,
    );
    assert.deepEqual(readPage(page).attribute("html", "lang"), ["de"]);
    assert.deepEqual(readPage(page).texts("title"), ["T"]);
  });

  it("leaves nothing that leads elsewhere by itself, however it is put together", () => {
    const part = fc.constantFrom(
      "<meta http-equiv=refresh content='0;url=https://evil.test'>",
      "<LINK rel=dns-prefetch href=//evil.test>",
      "<base href=//evil.test>",
      "<",
      "me",
      "ta",
      "<meta",
      "/",
      " ",
      ">",
      "<!--",
      "-->",
      "<link",
      "\0",
      "<no-",
      "<svg>",
      "<head>",
      "<template>",
      "x",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const page = readPage(foreignPage(parts.join("")));
        assert.equal(page.attribute("meta", "content").length, 2);
        assert.equal(
          page.attribute("link", "href").length + page.attribute("base", "href").length,
          0,
        );
      }),
      { numRuns: 500 },
    );
  });
});
