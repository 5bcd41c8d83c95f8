/**
 * Returns a PDF with these pages, each of lines of plain ASCII in Helvetica (ISO 32000-1, 7.5 and 9.4).
 *
 * @param locked whether it needs a password
 * @param damaged the index of a page whose content is damaged
 * @param opens an address to which its script goes, and an action without one, when it is opened
 */
export function pdfOf(
  pages: readonly string[],
  {
    locked = false,
    damaged = -1,
    opens,
  }: { locked?: boolean; damaged?: number; opens?: string } = {},
): Uint8Array {
  const contents = pages.map((page) => {
    const lines = page
      .split("\n")
      .map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj 0 -14 Td`);
    return page === "" ? "" : `BT /F1 12 Tf 72 720 Td ${lines.join(" ")} ET`;
  });
  const first = 4;
  const kids = pages.map((_page, index) => `${first + 2 * index} 0 R`);
  const next = `/Next << /S /URI /URI (${opens}) >>`;
  const action = `/OpenAction << /S /JavaScript /JS (fetch\\('${opens}'\\)) ${next} >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${opens === undefined ? "" : action} >>`,
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages.length} /MediaBox [0 0 612 792] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * index + 1} 0 R ` +
        "/Resources << /Font << /F1 3 0 R >> >> >>",
      index === damaged ? damagedStream : stream(content),
    ]),
  ];
  const hash = `<${"5a".repeat(32)}>`;
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${hash} /U ${hash} >> /ID [<00> <00>]`;
  return pdfFrom(objects, locked ? lock : "");
}

/** Returns a PDF of a form of one page, with its text, a field that is filled in, boxes, and a note on it. */
export function formPdf(text: string, field: string, note: string): Uint8Array {
  const box = (name: string, value: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (${name}) /V /${value} /AS /${value} ` +
    "/AP << /N << /Yes 5 0 R /Off 5 0 R >> >> /Rect [90 500 100 510] >>";
  return pdfFrom([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R] >> >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> " +
      "/Annots [6 0 R 7 0 R 8 0 R 9 0 R] >>",
    stream(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`),
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (${field}) /Rect [90 690 300 710] >>`,
    box("agreed", "Yes"),
    box("refused", "Off"),
    `<< /Type /Annot /Subtype /FreeText /Contents (${note}) /Rect [90 590 300 610] >>`,
  ]);
}

/** Returns a PDF of one page in a Japanese font that is not embedded (ISO 32000-1, 9.7.5.2). */
export function japanesePdf(text: string): Uint8Array {
  const codes = Buffer.from(text, "utf16le").swap16().toString("hex");
  const font = "/BaseFont /HeiseiMin-W3";
  return pdfFrom([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
    "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    stream(`BT /F1 12 Tf 72 720 Td <${codes}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 ${font} /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 ${font} /FontDescriptor 7 0 R ` +
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
    "<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000] " +
      "/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
  ]);
}

/** The third byte begins a block of a kind that there is not (RFC 1951, 3.2.3). */
const damagedStream = "<< /Length 3 /Filter /FlateDecode >>\nstream\nx\x01\x07\nendstream";

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** @param trailer what its trailer has besides the usual */
function pdfFrom(objects: readonly string[], trailer = ""): Uint8Array {
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = String(text.length).padStart(10, "0");
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n`;
  text += `startxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}
