#!/usr/bin/env node
// Stands in for VS Code's own executable, as `vscodeExecutablePath` of @vscode/test-electron's
// `runTests`: takes the same flags, runs the extension's tests in the browser-based VS Code, prints
// what they print, and exits with their exit code.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { format } from "node:util";
import { atEnd, cleanUp, cleanUpOnSignals } from "../process/cleanup.mjs";
import { openBrowser } from "./openBrowser.mjs";
import { openUrl } from "./openUrl.mjs";
import { parseFlags } from "./parseFlags.mjs";
import { startServer } from "./startServer.mjs";

const LIMIT_MINUTES = 15;

async function runTests() {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.extensionTestsPath === undefined) throw new Error("--extensionTestsPath is missing.");
  const scratch = await mkdtemp(join(tmpdir(), "rooroo-host-"));
  atEnd(() => rm(scratch, { recursive: true, force: true }));
  // A page can develop one extension only; what comes with it is installed.
  const [ours, ...others] = flags.extensionDevelopmentPath.map((path) => resolve(path));
  const server = await startServer({
    dataDir: join(scratch, "server"),
    extensions: others,
    userDataDir: flags.userDataDir === undefined ? undefined : resolve(flags.userDataDir),
    trusted: flags.trusted,
  });
  atEnd(server.stop);
  const browser = await openBrowser({ profileDir: join(scratch, "browser") });
  atEnd(() => browser.close());
  const page = browser.pages()[0] ?? (await browser.newPage());
  const exitCode = new Promise((done, fail) => {
    void page.exposeFunction("codeAutomationExit", done);
    page.on("crash", () => fail(new Error("The browser's page crashed.")));
    page.on("close", () => fail(new Error("The browser's page was closed.")));
    void server.stopped.then((code) => fail(new Error(`VS Code's server ended (${code}).`)));
    const late = () => fail(new Error(`The tests took more than ${LIMIT_MINUTES} minutes.`));
    setTimeout(late, LIMIT_MINUTES * 60_000).unref();
  });
  await page.exposeFunction("codeAutomationLog", print);
  await page.goto(
    openUrl(server, {
      folder: flags.folder && resolve(flags.folder),
      extensionDevelopmentPath: ours,
      extensionTestsPath: resolve(flags.extensionTestsPath),
    }),
  );
  return Number(await exitCode);
}

/** VS Code's own log comes the same way as the tests' console. These are its lines. */
const ownLog = [
  /^\[[\w: -]+\]/,
  /^(Creating a socket|Resolv(ing|ed) connection token|Updating additional|Ignoring fetching)/,
  /\/workbench\/workbench\.js:\d/,
  // Its own log files need a compiled writer, which is not installed.
  /[\\/]@vscode[\\/]spdlog[\\/]/,
];

/**
 * @param {string} _level
 * @param {unknown[]} args As given to the extension host's `console`.
 */
function print(_level, args) {
  const text = String(args[0]);
  // A failed test's stack may name VS Code's own files, too.
  const isOurs = /^\s*FAIL\b/.test(text);
  if (isOurs || !ownLog.some((pattern) => pattern.test(text))) console.log(format(...args));
}

cleanUpOnSignals();
let code = 1;
try {
  code = await runTests();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
await cleanUp();
process.exit(code);
