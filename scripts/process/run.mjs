import { spawn } from "node:child_process";

/**
 * Runs a command to its end. Resolves with what it wrote to stdout; rejects, with what it
 * wrote, when it exits with anything but 0.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} [options]
 *   `show`: hand the output through to the person instead of collecting it.
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env = process.env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
      // npm and code are .cmd files on Windows, which only a shell can run.
      shell: process.platform === "win32" && !command.endsWith(".exe"),
    });
    let out = "";
    let all = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
      all += chunk;
    });
    child.stderr?.on("data", (chunk) => (all += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(out);
      const title = `${command} ${args.join(" ")} ended with ${signal ?? code}`;
      reject(new Error(`${title}\n${shorten(all.trim())}`.trimEnd()));
    });
  });
}

/** The beginning and the end of a long output: one of them says what went wrong. @param {string} text */
function shorten(text) {
  const lines = text.split("\n");
  return lines.length <= 50 ? text : [...lines.slice(0, 20), "…", ...lines.slice(-25)].join("\n");
}
