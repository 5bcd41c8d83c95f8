import { call, done } from "./script.mjs";

const tasks = [
  {
    suggested_mode: "rooroo-analyzer",
    goal_for_expert: "Find out what an invoice holds, and write down how a CSV export should look",
    context:
      "- Read `src/invoice.js`, `src/money.js` and `src/index.js`.\n" +
      "- Write `findings.md` into your task's folder: columns, quoting, where the code belongs.\n" +
      "- Done when the next expert can build it from the findings alone.",
  },
  {
    suggested_mode: "rooroo-developer",
    goal_for_expert: "Add invoiceToCsv to src/csv.js, with tests in test/csv.test.js",
    context:
      "- One line for each invoice line, amounts in whole cents, a header line first.\n" +
      "- Quote fields as RFC 4180 says; export the function from `src/index.js`.\n" +
      "- Done when `node --test test/csv.test.js` passes.",
  },
  {
    suggested_mode: "rooroo-developer",
    goal_for_expert: "Describe the CSV export in README.md and CHANGELOG.md",
    context:
      "- README: a short section with an example, before *Tests*.\n" +
      "- CHANGELOG: one line under a new heading *Unreleased*.",
  },
];

const overview = `The export is small, but three things build on one another:

1. **Find out** what an invoice holds, so that the columns are right.
2. **Build** \`invoiceToCsv\`, with tests.
3. **Describe** it for those who use the library.

**Risk:** names may hold commas and quotes, so quoting needs a test of its own.

*(The demo model knows this one plan. A real model plans what you ask for.)*`;

/** @type {import("./script.mjs").Script} */
export const makePlan = [
  {
    say: "I look at the project before I plan.",
    calls: [
      call("list_files", { path: ".", recursive: true }),
      call("read_file", { path: "README.md" }),
    ],
  },
  ({ turns, goal }) => {
    const listing = turns[0].calls[0].result;
    if (listing.includes("src/invoice.js")) {
      return {
        say: "It is clear enough to plan: find out, build, describe.",
        ...done("A CSV export in three tasks: find out, build, describe.", {
          queue_tasks_json_lines: tasks,
          plan_overview: overview,
        }),
      };
    }
    const message =
      "I am the scripted demo model and have no plan for this project; one look at it is all I can do.";
    const advice = { suggested_mode: "rooroo-analyzer", refined_goal: goal };
    return done(message, { status: "Advice", advice_details: advice });
  },
];
