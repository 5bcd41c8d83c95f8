import { openSync, writeSync } from "node:fs";
import Mocha from "mocha";
import { inSources } from "./inSources.mjs";

/** The beginning of the name of an `after` hook that ends what the files of a process share. */
const OF_ALL_FILES = "for all files:";

/** The properties in which Mocha keeps a suite's hooks. */
const HOOKS = {
  before: "_beforeAll",
  beforeEach: "_beforeEach",
  afterEach: "_afterEach",
  after: "_afterAll",
};

/** @type {typeof import("./runMocha.d.mts").runMocha} */
export async function runMocha({ files, timeout, isOurs = () => true }) {
  const {
    ROOROO_TEST_RESULT: resultFile,
    ROOROO_TEST_ONLY: only,
    ROOROO_TEST_ALONE: alone,
  } = process.env;
  const mocha = new Mocha({
    ui: "bdd",
    timeout,
    forbidOnly: true,
    forbidPending: true,
    reporter: /** @type {any} */ (function () {}),
  });
  /** @type {string[]} */
  const printed = [];
  const [passed, failed] = [new Set(), new Set()];
  /** @type {{ title: string, file?: string, group?: string, isTest?: boolean, key: unknown }} What runs. */
  let current = { title: "before the first test", key: undefined };

  const result = resultFile === undefined ? undefined : openSync(resultFile, "a");
  /** @param {import("./readResult.mjs").Step} step */
  const tell = (step) => {
    if (result !== undefined) writeSync(result, `${JSON.stringify(step)}\n`);
  };
  /** @param {typeof current} what @param {string} why */
  const fail = ({ key, ...what }, why) => {
    const text = `\n  FAIL ${alone === undefined ? "" : "AGAIN "}${what.title}\n${indent(why)}\n`;
    printed.push(text);
    console.log(text);
    // One that fails twice is one that has failed.
    if (failed.has(key)) return;
    failed.add(key);
    tell({ failed: { ...what, hadPassed: passed.has(key) } });
  };

  // Mocha passes each rejection on to all who listen, so that it comes twice.
  const known = new WeakSet();
  process.on("unhandledRejection", (reason, promise) => {
    if (known.has(promise) || !isOurs(reason)) return;
    known.add(promise);
    fail(current, `A promise was rejected, and nobody handled it:\n${explain(reason)}`);
  });

  for (const { name, load } of files) {
    current = { title: `${name} cannot be loaded`, file: name, group: "", key: name };
    mocha.suite.emit("pre-require", globalThis, name, mocha);
    try {
      await load();
      refuseHooks(mocha.suite);
    } catch (error) {
      fail(current, explain(error));
      // What throws inside of a group leaves it open, and the next file's groups would be in it.
      mocha.ui("bdd");
    }
  }
  if (alone) {
    mocha.suite.tests = [];
    mocha.suite.suites = mocha.suite.suites.filter(({ title }) => title === alone);
  }
  if (only !== undefined) mocha.fgrep(only);

  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      tell({ ended: true });
      resolve(printed);
    });
    tell({ planned: runner.total });
    /** @param {Mocha.Runnable} runnable */
    const begin = (runnable) => {
      current = describeRunnable(runnable);
      tell({ begun: current.title, timeout: runnable.timeout() });
    };
    runner.on("hook", begin);
    runner.on("test", begin);
    // Mocha tells that a test begins before the hooks that come first.
    runner.on("hook end", ({ ctx }) => {
      if (ctx?.currentTest && !ctx.currentTest.state) begin(ctx.currentTest);
    });
    runner.on("pass", (test) => {
      if (failed.has(test)) return;
      passed.add(test);
      tell({ passed: test.fullTitle() });
    });
    runner.on("fail", (runnable, error) => fail(describeRunnable(runnable), explain(error)));
  });
}

/**
 * Throws if a file has put a hook outside of its groups, where it runs around the tests of all other files of the process,
 * too; and takes it away.
 *
 * @param {any} root The suite of the process. Mocha keeps its hooks where no type tells of them.
 */
function refuseHooks(root) {
  const foreign = [];
  for (const [name, key] of Object.entries(HOOKS)) {
    const isAllowed = (/** @type {Mocha.Hook} */ { title }) =>
      name === "after" && title.includes(OF_ALL_FILES);
    foreign.push(...root[key].filter((/** @type {Mocha.Hook} */ hook) => !isAllowed(hook)));
    root[key] = root[key].filter(isAllowed);
  }
  if (foreign.length === 0) return;
  const titles = foreign.map(({ title }) => title).join(", ");
  throw new Error(
    `It has hooks outside of every \`describe\`, which run around the tests of other files, too: ${titles}. ` +
      `Put them into one. An \`after\` that ends what all files share is named "${OF_ALL_FILES} …".`,
  );
}

/** @param {Mocha.Runnable} runnable */
function describeRunnable(runnable) {
  let top = runnable.parent;
  while (top?.parent && !top.parent.root) top = top.parent;
  return {
    title: runnable.fullTitle(),
    file: runnable.file ?? top?.file,
    group: top?.root ? "" : (top?.title ?? ""),
    isTest: runnable.type === "test",
    key: runnable,
  };
}

/** @param {any} error */
function explain(error) {
  const stack = error?.stack ? inSources(String(error.stack)) : show(error);
  const { expected, actual } = error ?? {};
  if (expected === undefined || stack.includes("expected")) return stack;
  return `${stack}\nexpected: ${show(expected)}\nactual:   ${show(actual)}`;
}

/** @param {unknown} value */
function show(value) {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, "       ");
}
