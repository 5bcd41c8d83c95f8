import { writeFileSync } from "node:fs";

/** @type {typeof import("./runMocha.d.mts").runMocha} */
export function runMocha(mocha) {
  return new Promise((resolve) => {
    const reporter = /** @type {Mocha.ReporterConstructor} */ (/** @type {unknown} */ (Reporter));
    /** @type {string[]} */
    const failed = [];
    const runner = mocha.reporter(reporter).run(() => resolve(failed));
    runner.on("fail", (test, error) => failed.push(told(test, error)));
  });
}

/** Quiet about what passes, prompt about what fails. */
class Reporter {
  /** @param {Mocha.Runner} runner */
  constructor(runner) {
    runner.on("fail", (test, error) => {
      console.log(told(test, error));
    });
    runner.on("end", () => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      const file = process.env.ROOROO_TEST_RESULT;
      if (file === undefined) return;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}

/** @param {Mocha.Test} test @param {unknown} error */
function told(test, error) {
  return `\n  FAIL ${test.fullTitle()}\n${indent(explain(error))}\n`;
}

/** @param {any} error */
function explain(error) {
  const stack = String(error?.stack ?? error);
  const { expected, actual } = error ?? {};
  if (expected === undefined || stack.includes("expected")) return stack;
  return `${stack}\nexpected: ${show(expected)}\nactual:   ${show(actual)}`;
}

/** @param {unknown} value */
function show(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, "       ");
}
