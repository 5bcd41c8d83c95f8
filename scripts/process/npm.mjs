import { run } from "./run.mjs";

/**
 * Runs npm in a folder of its own, whichever script of which package we were started from. Rejects with what npm says, without
 * the addresses of the servers that it has asked.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, show?: boolean }} options
 * @returns {Promise<string>}
 */
export async function npm(args, { cwd, env = process.env, show }) {
  // Before the command: what follows `--` is not for npm.
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", ...args];
  const clean = { ...env };
  // npm tells its scripts where "the" package is; a nested npm would install there.
  delete clean.npm_config_local_prefix;
  delete clean.npm_package_json;
  delete clean.npm_config_prefix;
  const cli = env.npm_execpath;
  const options = { cwd, env: clean, show };
  const [program, ...first] = cli?.endsWith("npm-cli.js")
    ? [process.execPath, cli]
    : [process.platform === "win32" ? "npm.cmd" : "npm"];
  try {
    return await run(program, [...first, ...quiet], options);
  } catch (error) {
    throw new Error(String(error.message).replace(/\bhttps?:\/\/[^\s/"')]+/g, "…"));
  }
}
