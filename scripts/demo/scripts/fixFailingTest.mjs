import { call, contentOf, done, failed, notHere, testOutcome } from "./script.mjs";

const source = "src/invoice.js";
const test = "test/invoice.test.js";
const bug = "const tax = percentOf(subtotal, taxPercent);";
const repair = "const tax = percentOf(subtotal - discount, taxPercent);";

/** @type {import("./script.mjs").Script} */
export const fixFailingTest = [
  {
    say: "I run the tests first, to see what fails.",
    calls: [call("execute_command", { command: "node --test" })],
  },
  (request) => {
    const outcome = testOutcome(request);
    if (outcome?.failed === 0) {
      return done(`All ${outcome.passed} tests pass already, so I changed nothing.`);
    }
    const output = request.turns[0].calls[0].result;
    if (!output.includes("tax is charged on what remains")) return failed(notHere, output);
    return {
      say: `The test about **tax after a discount** fails. I read the code and the test side by side.`,
      calls: [call("read_file", { path: source }), call("read_file", { path: test })],
    };
  },
  (request) => {
    const code = contentOf(request, source);
    if (!code?.includes("percentOf(subtotal"))
      return failed(notHere, `${source} is not what I expected.`);
    return {
      say: [
        "Found it. The tax is taken from the whole subtotal:",
        "",
        "```js",
        bug,
        "```",
        "",
        "The discount must come off first. I change that one line.",
      ].join("\n"),
      calls: [call("edit_file", { path: source, old_text: bug, new_text: repair })],
    };
  },
  {
    say: "Now the tests again.",
    calls: [call("execute_command", { command: "node --test" })],
  },
  (request) => {
    const outcome = testOutcome(request);
    if (outcome?.failed === 0) {
      return done(
        `Fixed: \`${source}\` took the tax from the subtotal before the discount. ` +
          `It now takes it from what remains. All ${outcome.passed} tests pass.`,
      );
    }
    const what =
      outcome === undefined ? "The tests could not be run" : `${outcome.failed} still fail`;
    return failed(`I changed \`${source}\`, but that did not settle it. ${what}.`, what);
  },
];
