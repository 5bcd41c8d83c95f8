#!/usr/bin/env bash
# Library: unpdf 1.7.0 (with pdf.js 5.6.205 inside), with pdfjs-dist 5.6.205 beside it and Node 20.20.2.
# Behaviour: of a valid PDF whose Japanese font is named and not embedded (ISO 32000-1, 9.7.5.2: predefined CMaps), the text is
#   empty, and no error is raised. By its README, unpdf takes the character maps from a pdfjs-dist beside it; it names them by a
#   `file:` address, which its pdf.js cannot read in Node. With the same folder as a plain path, the text is there.
# Seen on 29 November 2026:
#   as documented: []
#   by a path:     ["日本語"]
# So `src/node/pdf/pdfWorker.ts` names the folder by its path, and the build puts the maps beside the bundle.
# Ends with 0 if it still behaves so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact unpdf@1.7.0 pdfjs-dist@5.6.205

cat > sample.js <<'JS'
import { getDocumentProxy } from "unpdf";

const content = "BT /F1 12 Tf 72 720 Td <65E5672C8A9E> Tj ET";
const font = "/BaseFont /HeiseiMin-W3";
const objects = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
  "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  `<< /Type /Font /Subtype /Type0 ${font} /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>`,
  `<< /Type /Font /Subtype /CIDFontType0 ${font} /FontDescriptor 7 0 R
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>`,
  `<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000]
      /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>`,
];
let text = "%PDF-1.4\n";
const places = objects.map((object, index) => {
  const place = String(text.length).padStart(10, "0");
  text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  return `${place} 00000 n \n`;
});
const start = text.length;
text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;

const textsBy = async (options) => {
  const bytes = new TextEncoder().encode(text);
  const page = await (await getDocumentProxy(bytes, { verbosity: 0, ...options })).getPage(1);
  return JSON.stringify((await page.getTextContent()).items.map(({ str }) => str));
};
console.log(`as documented: ${await textsBy({})}`);
console.log(`by a path:     ${await textsBy({ cMapUrl: "node_modules/pdfjs-dist/cmaps/", cMapPacked: true })}`);
JS
out=$(node sample.js)
echo "$out"
if [ "$out" = 'as documented: []
by a path:     ["日本語"]' ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
