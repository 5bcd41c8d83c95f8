import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

const run = promisify(execFile);
const memory = "/dev/shm";
const inFolder = 100;

/**
 * Measures what a plan's worktree costs in a large repository: making it beside git's own time for that, and
 * landing what a plan has changed. The files are in memory where the system can do that: a disk
 * makes 30,000 of them in one second or in ten, and our own share is not seen beside that.
 *
 * @param {{ quick: boolean }} options
 */
export async function worktrees({ quick }) {
  const count = quick ? 200 : 30_000;
  const landed = quick ? 2 : 40;
  const folder = await scratch(existsSync(memory) ? memory : tmpdir());
  const { plans, git, restore } = await repository(
    join(folder, "work"),
    join(folder, "own"),
    count,
  );
  try {
    const making = [];
    const own = [];
    const landing = [];
    const removing = [];
    for (let turn = 0; turn < (quick ? 1 : 3); turn++) {
      const gits = join(folder, "worktree");
      own.push(await timed(() => git("worktree", "add", "--quiet", "--detach", gits)));
      await git("worktree", "remove", "--force", gits);
      const planId = `ROO#PLAN_2026010203040${turn}_A1B2C3`;
      await plans.ask(planId);
      let host;
      making.push(await timed(async () => (host = await plans.hostOf(planId))));
      for (let file = 0; file < landed; file++) {
        await host.files.replaceFile(fileOf(file * inFolder), `changed ${turn} ${file}\n`);
      }
      // A link does not land, so the worktree stays, and its removal is measured for itself.
      await symlink("a", host.files.absolute("link"));
      landing.push(
        await timed(async () => {
          const { type, files } = await plans.land(planId, {
            mayWrite: () => Promise.resolve(true),
          });
          if (type !== "partly" || files.length !== landed) throw new Error(`It is ${type}.`);
        }),
      );
      removing.push(await timed(() => plans.discard(planId)));
      await git("commit", "--quiet", "-am", `Landed ${turn}`);
    }
    return [
      row("files of the repository", count, "files"),
      row("git worktree add", median(own), "ms"),
      row("a plan's worktree", median(making), "ms"),
      row("of that beside git's own", median(making) - median(own), "ms", 2_000),
      row(`landing ${landed} files`, median(landing), "ms", 1_000),
      row("removing the worktree", median(removing), "ms"),
    ];
  } finally {
    await rm(folder, { recursive: true });
    restore();
  }
}

/** Makes a repository with that many files. Returns its plans, whose worktrees are in the other folder. */
async function repository(root, home, count) {
  const [{ localServices }, { localWorktrees }, { Redactor }] = await Promise.all([
    compiled("runtime/localServices"),
    compiled("runtime/localWorktrees"),
    compiled("core/text/redactor"),
  ]);
  for (let number = 0; number < count; number++) {
    if (number % inFolder === 0) await mkdir(join(root, folderOf(number)), { recursive: true });
    await writeFile(join(root, fileOf(number)), `export const value = ${number};\n`.repeat(40));
  }
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.test"];
  const git = (/** @type {string[]} */ ...args) => run("git", [...author, ...args], { cwd: root });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "-m", "First");
  const { ROOROO_HOME: before } = process.env;
  process.env.ROOROO_HOME = home;
  const restore = () => {
    if (before === undefined) delete process.env.ROOROO_HOME;
    else process.env.ROOROO_HOME = before;
  };
  const local = localServices(root, "bench");
  return { plans: localWorktrees({ root, local, redactor: new Redactor() }), git, restore };
}

function folderOf(/** @type {number} */ number) {
  return `package${Math.floor(number / 3_000)}/module${Math.floor(number / inFolder)}`;
}

function fileOf(/** @type {number} */ number) {
  return `${folderOf(number)}/f${number}.ts`;
}
