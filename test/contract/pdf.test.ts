import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { PdfReader } from "../../src/core/ports/pdf.js";
import { WorkerPdf } from "../../src/node/pdf/workerPdf.js";
import { formPdf, japanesePdf, pdfOf } from "../fakes/pdfOf.js";
import { damagedPage, PlainPdf, plainPdf } from "../fakes/plainPdf.js";

const never = new AbortController().signal;

function pdfContract(
  reader: PdfReader,
  make: (...pages: readonly string[]) => Uint8Array,
  withDamage: (...pages: readonly [string, string, string]) => Uint8Array,
) {
  it("returns the text of each page, and none of one without text", async () => {
    const { pages, total } = await reader.text(make("First (of 3)\nline", "", "Third"), never);
    assert.deepEqual(
      pages.map((page) => page.trim()),
      ["First (of 3)\nline", "", "Third"],
    );
    assert.equal(total, 3);
  });

  it("returns the texts of the pages beside one that is damaged, and names that one", async () => {
    const { pages, total, damaged } = await reader.text(withDamage("one", "two", "three"), never);
    assert.deepEqual(
      pages.map((page) => page.trim()),
      ["one", "", "three"],
    );
    assert.deepEqual([total, damaged], [3, [2]]);
  });

  it("refuses what is none", async () => {
    const broken = new TextEncoder().encode("%PDF-1.8\nno more");
    await assert.rejects(reader.text(broken, never), { code: "pdfBroken" });
  });

  it("stops when nobody wants it any more, and reads the next", async () => {
    const reason = new Error("enough");
    const stop = new AbortController();
    const late = reader.text(make("one"), stop.signal);
    stop.abort(reason);
    await assert.rejects(late, reason);
    assert.equal((await reader.text(make("two"), never)).pages[0]?.trim(), "two");
  });
}

describe("PdfReader", () => {
  describe("WorkerPdf, with pdf.js", () => {
    const reader = new WorkerPdf();
    pdfContract(
      reader,
      (...pages) => pdfOf(pages),
      (...pages) => pdfOf(pages, { damaged: 1 }),
    );

    it("refuses one of which each page is damaged", async () => {
      await assert.rejects(reader.text(pdfOf(["one"], { damaged: 0 }), never), {
        code: "pdfBroken",
      });
    });

    it("runs no script of a PDF and goes to no address of it", async () => {
      let asked = 0;
      const server = createServer((_request, response) => {
        asked++;
        response.end();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const opens = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { pages } = await reader.text(pdfOf(["one"], { opens }), never);
      // What it had begun would be there before what is asked after it.
      await fetch(opens);
      server.close();
      assert.deepEqual([pages[0]?.trim(), asked], ["one", 1]);
    });

    it("says that a PDF needs a password", async () => {
      await assert.rejects(reader.text(pdfOf(["secret"], { locked: true }), never), {
        code: "pdfNeedsPassword",
      });
    });

    it("reads what is filled into a form and noted on it, and leaves out boxes that are not checked", async () => {
      const { pages } = await reader.text(formPdf("Your name:", "Ada", "Call back"), never);
      const lines = pages[0]?.split("\n") ?? [];
      assert.equal(lines[0], "Your name:");
      assert.deepEqual(lines.slice(1).toSorted(), [
        "[Field agreed: Yes]",
        "[Field name: Ada]",
        "[Note: Call back]",
      ]);
    });

    it("reads Japanese in a font that is not embedded", async () => {
      const { pages } = await reader.text(japanesePdf("請求書"), never);
      assert.deepEqual(pages, ["請求書"]);
    });

    it("returns the first pages of a text that is too long, and how many there are", async () => {
      const long = Array.from({ length: 40 }, () => "many words ".repeat(9)).join("\n");
      const { pages, total } = await reader.text(pdfOf(Array<string>(1000).fill(long)), never);
      assert.equal(total, 1000);
      assert.ok(pages.length > 500 && pages.length < 1000, `${pages.length}`);
      assert.ok(pages.join("").length <= 3_000_000);
      assert.equal(pages.at(-1)?.length, pages[0]?.length, "the last one is whole");
    });

    it("gives up what takes too long", async () => {
      const hasty = new WorkerPdf({ timeoutMs: 1, idleMs: 0 });
      await assert.rejects(hasty.text(pdfOf(["one"]), never), {
        code: "pdfTooSlow",
        params: { seconds: 0.001 },
      });
    });
  });
  describe("PlainPdf", () => {
    pdfContract(new PlainPdf(), plainPdf, (one, _two, three) => plainPdf(one, damagedPage, three));
  });
});
