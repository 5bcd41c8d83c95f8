import { call, contentOf, done, failed, notHere } from "./script.mjs";

const section = `## CSV

\`invoiceToCsv\` turns an invoice into CSV: a header, then one record for each line, amounts in cents.

\`\`\`js
import { invoiceToCsv } from "tally";

await writeFile("invoice.csv", invoiceToCsv(invoice));
\`\`\`

`;
const heading = "## Tests\n";

/** @type {import("./script.mjs").Script} */
export const documentCsvExport = [
  {
    say: "I read both files, to write in their manner.",
    calls: [call("read_file", { path: "README.md" }), call("read_file", { path: "CHANGELOG.md" })],
  },
  (request) => {
    const readme = contentOf(request, "README.md");
    const changelog = contentOf(request, "CHANGELOG.md");
    if (!readme?.includes("## Tests") || changelog === undefined) {
      return failed(notHere, "README.md or CHANGELOG.md is not what I expected.");
    }
    if (readme.includes("## CSV")) return done("README and CHANGELOG describe the export already.");
    return {
      say: "A short section with an example, and one line for the changelog.",
      calls: [
        call("edit_file", { path: "README.md", old_text: heading, new_text: section + heading }),
        call("insert_content", {
          path: "CHANGELOG.md",
          line: 3,
          content: "## Unreleased\n\n- `invoiceToCsv`: invoices as CSV.\n\n",
        }),
      ],
    };
  },
  done(
    "`README.md` has a section on CSV with an example; `CHANGELOG.md` names it under *Unreleased*.",
  ),
];
