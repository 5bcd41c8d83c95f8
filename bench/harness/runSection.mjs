import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd } from "../../scripts/process/cleanup.mjs";
import { startProcess } from "../../scripts/process/startProcess.mjs";

const script = fileURLToPath(new URL("../section.mjs", import.meta.url));

/**
 * Runs a section in a process of its own, and ends it, with all that it started and all its temporary files, when
 * its time is over.
 *
 * @param {string} name
 * @param {{ quick: boolean, corpora?: string }} options
 * @param {{ limitMs: number, program?: string }} how `program`: what runs it, where it is not the bench's own
 * @returns {Promise<import("./row.mjs").Row[]>}
 */
export async function runSection(name, options, { limitMs, program = script }) {
  const temporary = await mkdtemp(join(await realpath(tmpdir()), "rooroo-bench-"));
  const section = startProcess(process.execPath, [program, name, JSON.stringify(options)], {
    // What it or a program of its prints is not for the JSON on our stdout.
    stdio: ["ignore", 2, 2, "ipc"],
    env: { ...process.env, TMPDIR: temporary },
  });
  atEnd(() => section.stop());
  /** @type {any} */
  let told;
  section.child.on("message", (message) => (told = message));
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    void section.stop();
  }, limitMs);
  try {
    const code = await section.stopped;
    if (isLate) throw new Error(`it did not end within ${minutes(limitMs)}, and was ended`);
    if (told === undefined) throw new Error(`its process ended with exit code ${code}`);
    if ("error" in told) throw new Error(told.error);
    return told.rows;
  } finally {
    clearTimeout(limit);
    await section.stop();
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @param {number} ms */
function minutes(ms) {
  return ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`;
}
