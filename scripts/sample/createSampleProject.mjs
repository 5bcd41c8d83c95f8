import { cp, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { findOnPath } from "../process/findOnPath.mjs";
import { run } from "../process/run.mjs";

const files = fileURLToPath(new URL("files", import.meta.url));

const author = { name: "Tally Authors", email: "tally@example.com", date: "2025-01-15T09:00:00Z" };

/**
 * Makes a small project to try things on: `tally`, a library with tests, one of which fails for a
 * bug in `src/invoice.js`. A git repository with one commit (the same each time) where git exists.
 *
 * @param {string} folder Created; files of the same names in it are replaced.
 */
export async function createSampleProject(folder) {
  await mkdir(folder, { recursive: true });
  await cp(files, folder, { recursive: true });
  if (findOnPath([process.platform === "win32" ? "git.exe" : "git"]) === undefined) return;
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = {
    ...Object.fromEntries(outside),
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: author.date,
  };
  const git = (/** @type {string[]} */ ...args) => run("git", args, { cwd: folder, env });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Carts, discounts and invoices");
}
