import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const help = `Opens VS Code with Rooroo Navigator on a project, ready to be tried.

  npm start -- [options]

  --workspace DIR   open this folder; default: a new sample project in a temporary folder
  --browser         use the browser-based VS Code even if a desktop one is installed
  --port N          where the browser-based VS Code listens; default: any free port
  --no-open         print the address, but do not open it
  --help            show this

The model is the one of OPENAI_BASE_URL, OPENAI_API_KEY and ROOROO_MODEL if one of the first two is
set; else a scripted demo model, which needs neither a key nor a network.
`;

/**
 * @typedef {object} Options
 * @property {string | undefined} workspace Absolute.
 * @property {boolean} browser
 * @property {number | undefined} port
 * @property {boolean} open
 * @property {boolean} help
 */

/**
 * Throws an error, with words for the person, when the options are not right.
 *
 * @param {string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: "string" },
      browser: { type: "boolean", default: false },
      port: { type: "string" },
      "no-open": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  return {
    workspace: values.workspace === undefined ? undefined : folder(values.workspace),
    browser: values.browser,
    port: values.port === undefined ? undefined : portNumber(values.port),
    open: !values["no-open"],
    help: values.help,
  };
}

/** @param {string} given */
function folder(given) {
  const path = resolve(given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new Error(`--workspace: there is no folder ${path}`);
}

/** @param {string} given */
function portNumber(given) {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`--port: ${given} is not a port number (1 to 65535)`);
}
