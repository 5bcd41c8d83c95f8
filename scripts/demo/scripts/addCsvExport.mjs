import { call, contentOf, done, failed, notHere, testOutcome } from "./script.mjs";

const exported = 'export { createInvoice } from "./invoice.js";\n';

const source = `const columns = ["invoice", "customer", "article", "quantity", "unit_cents", "total_cents"];

/**
 * An invoice as CSV (RFC 4180): a header, then one record for each line. Amounts are whole cents.
 *
 * @param {ReturnType<typeof import("./invoice.js").createInvoice>} invoice
 */
export function invoiceToCsv({ number, customer, lines }) {
  const records = lines.map(({ name, quantity, unitCents }) => [
    number,
    customer,
    name,
    quantity,
    unitCents,
    unitCents * quantity,
  ]);
  return [columns, ...records].map((record) => record.map(field).join(",") + "\\r\\n").join("");
}

/** @param {string | number} value */
function field(value) {
  const text = String(value);
  return /[",\\r\\n]/.test(text) ? \`"\${text.replaceAll('"', '""')}"\` : text;
}
`;

const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { addLine, createCart, createInvoice, invoiceToCsv } from "../src/index.js";

const cart = addLine(createCart(), { name: "Blue mug", unitCents: 1250, quantity: 2 });

test("an invoice becomes a header and one record for each line", () => {
  const csv = invoiceToCsv(createInvoice(cart, { number: 17, customer: "Ada Crane" }));
  assert.equal(
    csv,
    "invoice,customer,article,quantity,unit_cents,total_cents\\r\\n" +
      "17,Ada Crane,Blue mug,2,1250,2500\\r\\n",
  );
});

test("fields with commas and quotes are quoted", () => {
  const csv = invoiceToCsv(createInvoice(cart, { number: 18, customer: 'Crane, "Ada"' }));
  assert.match(csv, /^18,"Crane, ""Ada""",Blue mug/m);
});
`;

/** @type {import("./script.mjs").Script} */
export const addCsvExport = [
  {
    say: "I read what is exported, and how the tests are written.",
    calls: [
      call("read_file", { path: "src/index.js" }),
      call("read_file", { path: "test/invoice.test.js" }),
    ],
  },
  (request) => {
    const index = contentOf(request, "src/index.js");
    if (!index?.includes("createInvoice"))
      return failed(notHere, "No src/index.js with createInvoice.");
    const calls = [
      call("write_to_file", { path: "src/csv.js", content: source }),
      call("write_to_file", { path: "test/csv.test.js", content: test }),
    ];
    if (!index.includes("./csv.js")) {
      const new_text = `export { invoiceToCsv } from "./csv.js";\n${exported}`;
      calls.push(call("edit_file", { path: "src/index.js", old_text: exported, new_text }));
    }
    return { say: "The function and its tests come into files of their own.", calls };
  },
  {
    say: "I run the new tests.",
    calls: [call("execute_command", { command: "node --test test/csv.test.js" })],
  },
  (request) => {
    const outcome = testOutcome(request);
    if (outcome?.failed !== 0) {
      return failed("`src/csv.js` is there, but its tests do not pass.", "See the test run.");
    }
    return done(
      `\`invoiceToCsv\` is in \`src/csv.js\`, exported, and its tests pass (${outcome.passed}).`,
    );
  },
];
