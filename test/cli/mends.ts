import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays, settled } from "./script.js";

/** A project whose test fails. */
export const sample = {
  "package.json": '{ "name": "sums", "type": "module" }\n',
  "src/add.js": "export function add(a, b) {\n  return a - b;\n}\n",
  "test/add.test.js":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "../src/add.js";\ntest("adds", () => assert.equal(add(2, 3), 5));\n',
};

/** Runs the tests, mends the sum, runs them again, and reports what came of it. */
export const mends = plays(
  { route: "direct", expert: "rooroo-developer", goal: "Make the test pass" },
  {
    "rooroo-developer": (request) => {
      switch (settled(request)) {
        case 0:
          return {
            text: "I run the tests.",
            ...calls("execute_command", { command: "node --test" }),
          };
        case 1:
          return calls("edit_file", {
            path: "src/add.js",
            old_text: "a - b",
            new_text: "a + b",
          });
        case 2:
          return calls("execute_command", { command: "node --test" });
        default: {
          const passed = request.results[2]?.content.startsWith("Exit code 0") === true;
          return completes({
            status: passed ? "Done" : "Failed",
            message: "The sum is right now.",
          });
        }
      }
    },
  },
);
