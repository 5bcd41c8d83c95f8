import { call, contentOf, done, failed, notHere } from "./script.mjs";

const findings = `# Findings: a CSV export of invoices

## What an invoice holds

\`createInvoice\` in \`src/invoice.js\` returns:

- \`number\`, \`customer\`, \`fileName\`
- \`lines\`: each with \`name\`, \`unitCents\`, \`quantity\`
- \`subtotalCents\`, \`discountCents\`, \`taxCents\`, \`totalCents\`

## How the export should look

| column        | from                      |
| ------------- | ------------------------- |
| \`invoice\`     | \`number\`                  |
| \`customer\`    | \`customer\`                |
| \`article\`     | \`name\` of the line        |
| \`quantity\`    | \`quantity\` of the line    |
| \`unit_cents\`  | \`unitCents\` of the line   |
| \`total_cents\` | unit price times quantity |

- Amounts stay whole cents: \`formatMoney\` (\`src/money.js\`) adds signs and commas, which spreadsheets misread.
- Customers and articles are free text, so fields with a comma, a quote or a line break are quoted.
- The code belongs into a file of its own, \`src/csv.js\`, exported from \`src/index.js\` like the others.
`;

/** @type {import("./script.mjs").Script} */
export const studyInvoices = [
  {
    say: "I read how invoices are made, and how amounts become text.",
    calls: [
      call("read_file", { path: "src/invoice.js" }),
      call("read_file", { path: "src/money.js" }),
      call("read_file", { path: "src/index.js" }),
    ],
  },
  (request) => {
    if (contentOf(request, "src/invoice.js") === undefined)
      return failed(notHere, "No src/invoice.js.");
    return {
      say: "Customers and articles are free text, so quoting matters. I write the findings down.",
      calls: [
        call("write_to_file", {
          path: `.rooroo/tasks/${request.taskId}/findings.md`,
          content: findings,
        }),
      ],
    };
  },
  ({ taskId }) =>
    done("One line for each invoice line, six columns, amounts in cents, quoted where needed.", {
      output_artifact_paths: [`.rooroo/tasks/${taskId}/findings.md`],
    }),
];
