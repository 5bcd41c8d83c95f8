import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { receiveArtifacts } from "../../src/core/experts/artifacts.js";
import { completeReport } from "../../src/core/experts/report.js";
import { withLeft } from "../../src/core/navigator/worktrees/leftBehindText.js";
import { closedRef, isLeftBy, refsLeft, refsOfPlan } from "../../src/core/team/teamRefs.js";
import { formatTeamState } from "../../src/core/team/teamState.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { type TeamPlace, TeamRepository } from "../../src/node/git/teamRepository.js";
import { TeamKey } from "../../src/node/user/teamKey.js";
import { temporaryFolder } from "./temporaryFolder.js";

const key = "k".repeat(32);
const plan = { id: "ROO#PLAN_A", repository: "shop" };
const place: TeamPlace = { planId: plan.id, signer: new TeamKey(key, plan) };
const task = "ROO#SUB_A_S001";
const refs = refsOfPlan({ id: plan.id, tasks: [{ id: task, labels: [] }] });
const baseRef = "refs/rooroo/base/ROO-PLAN_A";
const wipRef = "refs/rooroo/wip/ROO-SUB_A_S001/1";

const who = ["-c", "user.name=M", "-c", "user.email=m@example.test"];

describe("the commits of a team's plan", () => {
  const folder = temporaryFolder();
  let remote: string;
  let sender: TeamRepository;
  let home: string;
  let begin: string;

  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }).trim();

  const mktree = (input: string) =>
    execFileSync("git", ["mktree"], { cwd: home, encoding: "utf8", input }).trim();

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Makes another machine, and returns what it has of the remote. */
  async function machine(name: string): Promise<TeamRepository> {
    const cache = join(folder.path, name, "cache.git");
    return TeamRepository.cache(cache, remote);
  }

  beforeEach(async () => {
    remote = join(folder.path, "remote.git");
    home = join(folder.path, "home");
    await mkdir(home, { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    git(home, "init", "--quiet");
    await put(join(home, "a.txt"), "a\n");
    git(home, "add", ".");
    git(home, "-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-qm", "First");
    sender = new TeamRepository(join(home, ".git"), remote);
    const base = git(home, "rev-parse", "HEAD");
    const state = join(folder.path, "state");
    await put(join(state, "tasks", task, "task.json"), "the record\n");
    const files = await sender.filesOf(base);
    begin = await sender.commit({ files, parent: base, state, task: null, attempt: 0 }, place);
    await sender.push(begin, baseRef);
  });

  it("go to no remote by a program that the repository names, and do by one of the user's", async () => {
    const ran = join(folder.path, "ran");
    const helper = `!touch "${ran}"`;
    for (const [key, value] of [
      ["core.sshCommand", helper],
      ["core.askPass", ran],
      ["credential.helper", helper],
      ["credential.https://example.test.helper", helper],
    ] as const) {
      git(home, "config", key, value);
      const named = { code: "remoteProgram", message: new RegExp(`remote \\(${key}\\)`, "i") };
      await assert.rejects(sender.push(begin, wipRef), named);
      await assert.rejects(
        sender.deleteRefs([baseRef], () => true),
        named,
      );
      git(home, "config", "--unset", key);
    }
    assert.equal(git(remote, "for-each-ref", "--format=%(refname)"), baseRef);
    assert.equal(await lstat(ran).catch(() => undefined), undefined);

    // An empty one names none, and one in a file of the user's is the user's, whatever it counts for.
    git(home, "config", "credential.helper", "");
    const own = join(folder.path, "own.gitconfig");
    await put(join(folder.path, "included"), `[core]\n\tsshCommand = ssh -i other\n`);
    await put(own, `[includeIf "gitdir:${home}/"]\n\tpath = ${join(folder.path, "included")}\n`);
    const before = process.env["GIT_CONFIG_GLOBAL"];
    process.env["GIT_CONFIG_GLOBAL"] = own;
    try {
      assert.equal(git(home, "config", "core.sshCommand"), "ssh -i other");
      await sender.push(begin, wipRef);
    } finally {
      if (before === undefined) delete process.env["GIT_CONFIG_GLOBAL"];
      else process.env["GIT_CONFIG_GLOBAL"] = before;
    }
  });

  it("bring files and state to another machine, and what it has changed to the next", async () => {
    const one = await machine("one");
    await one.fetch(begin, refs);
    const root = join(folder.path, "one", "work");
    let checkout = await one.checkOut(begin, root, place);
    assert.equal(await readFile(join(root, "a.txt"), "utf8"), "a\n");
    const record = join(root, ".rooroo", "tasks", task, "task.json");
    assert.equal(await readFile(record, "utf8"), "the record\n");
    assert.equal(await one.save(checkout, { task, attempt: 1, always: false }, place), undefined);

    await put(join(root, "new", "b.txt"), "b\n");
    await put(join(root, ".rooroo", "tasks", task, "transcript.jsonl"), "{}\n");
    const saved = await one.save(checkout, { task, attempt: 1, always: false }, place);
    assert.ok(saved);
    checkout = saved;
    await one.push(checkout.head, wipRef);

    const two = await machine("two");
    await two.fetch(checkout.head, refs);
    const there = join(folder.path, "two", "work");
    await two.checkOut(checkout.head, there, place);
    assert.equal(await readFile(join(there, "new", "b.txt"), "utf8"), "b\n");
    const transcript = join(there, ".rooroo", "tasks", task, "transcript.jsonl");
    assert.equal(await readFile(transcript, "utf8"), "{}\n");
    assert.deepEqual(await two.stateOf(checkout.head, place), {
      schema: 1,
      plan: plan.id,
      task,
      attempt: 1,
      files: checkout.files,
      tasks: git(join(folder.path, "two", "cache.git"), "rev-parse", `${checkout.head}^2:tasks`),
    });
    await two.remove(there);
    assert.equal(await lstat(there).catch(() => undefined), undefined);
    assert.equal(
      git(join(folder.path, "two", "cache.git"), "worktree", "list").split("\n").length,
      1,
    );
  });

  it("leave out a new file that is too big for a repository, and say which", async () => {
    const one = await machine("one");
    await one.fetch(begin, refs);
    const root = join(folder.path, "one", "work");
    const checkout = await one.checkOut(begin, root, place);
    assert.deepEqual(await one.leftOut(checkout, task), []);
    await put(join(root, "small.txt"), "small\n");
    await put(join(root, "big.bin"), "");
    await truncate(join(root, "big.bin"), 60_000_000);
    const left = await one.leftOut(checkout, task);
    assert.deepEqual(left, [{ path: "big.bin", why: "tooBig", bytes: 60_000_000 }]);
    const saved = await one.save(checkout, { task, attempt: 1, always: true }, place);
    assert.ok(saved);
    const names = git(join(folder.path, "one", "cache.git"), "ls-tree", "--name-only", saved.head);
    assert.deepEqual(names.split("\n"), ["a.txt", "small.txt"]);
    const report = completeReport({ status: "Done", message: "Did it." });
    assert.equal(
      withLeft(report, left, "north").message,
      "Did it.\n\nLeft on north, so not in what lands, and gone with its checkout:\n- big.bin: it is too big to be kept in the repository (60.0 MB)",
    );
  });

  it("bring what a task has put into its folder, as it is, and leave what no machine should take", async () => {
    const one = await machine("one");
    await one.fetch(begin, refs);
    const root = join(folder.path, "one", "work");
    const checkout = await one.checkOut(begin, root, place);
    const own = join(root, ".rooroo", "tasks", task);
    const bytes = new Uint8Array([0, 255, 13, 10, 10]);
    await put(join(own, "notes", "a b.bin"), "");
    await writeFile(join(own, "notes", "a b.bin"), bytes);
    await put(join(own, "run.sh"), "#!/bin/sh\n");
    await chmod(join(own, "run.sh"), 0o755);
    await put(join(own, "changes", "log.jsonl"), "{}\n");
    await put(join(own, ".vscode", "tasks.json"), "{}\n");
    await put(join(own, "back\\slash"), "x\n");
    await symlink("/etc", join(own, "etc"));
    git(own, "init", "--quiet", "nested");
    await put(join(own, "nested", "n.txt"), "n\n");
    await put(join(own, "big.bin"), "");
    await truncate(join(own, "big.bin"), 60_000_000);
    const prefix = `.rooroo/tasks/${task}/`;
    const left = (await one.leftOut(checkout, task)).map(
      ({ path, why }) => `${path.slice(prefix.length)} ${why}`,
    );
    assert.deepEqual(left, [
      ".vscode/tasks.json protected",
      "back\\slash protected",
      "big.bin tooBig",
      "etc link",
      "nested/.git link",
    ]);
    const saved = await one.save(checkout, { task, attempt: 1, always: true }, place);
    assert.ok(saved);
    await one.push(saved.head, wipRef);

    await sender.fetch(saved.head, refs);
    await sender.stateOf(saved.head, place);
    const here = join(folder.path, "here");
    const files = new DiskFileSystem(here);
    await put(join(here, prefix, "changes", "log.jsonl"), "mine\n");
    for (let times = 1; times <= 2; times++) {
      const sent = await sender.taskFiles(saved.head, task);
      assert.deepEqual(await receiveArtifacts(sent, prefix.slice(0, -1), files), []);
      assert.deepEqual((await readdir(join(here, prefix))).sort(), [
        "changes",
        "nested",
        "notes",
        "run.sh",
      ]);
      const read = await readFile(join(here, prefix, "notes", "a b.bin"));
      assert.deepEqual(new Uint8Array(read), bytes);
      assert.equal((await lstat(join(here, prefix, "run.sh"))).mode & 0o777, 0o755);
      assert.equal(await readFile(join(here, prefix, "nested", "n.txt"), "utf8"), "n\n");
      assert.equal(await readFile(join(here, prefix, "changes", "log.jsonl"), "utf8"), "mine\n");
    }
    // A file is where a folder is needed.
    await rm(join(here, prefix, "nested"), { recursive: true });
    await put(join(here, prefix, "nested"), "mine\n");
    const again = await sender.taskFiles(saved.head, task);
    assert.deepEqual(await receiveArtifacts(again, prefix.slice(0, -1), files), [
      { path: `${prefix}nested/n.txt`, why: "taken", bytes: 2 },
    ]);
    const elsewhere = await sender.taskFiles(saved.head, "ROO#OTHER_A");
    assert.deepEqual(elsewhere, []);
    // The next worker can go on from there.
    await sender.checkOut(saved.head, join(folder.path, "next"), place);
  });

  it("are refused if the signed state stands beside other folders of tasks", async () => {
    const state = join(folder.path, "forged");
    await put(join(state, "tasks", task, "note.txt"), "planted\n");
    const files = await sender.filesOf(begin);
    const other = { planId: plan.id, signer: new TeamKey("x".repeat(32), plan) };
    const made = { files, parent: begin, state, task, attempt: 1 };
    const planted = await sender.commit(made, other);
    const said = git(home, "rev-parse", `${begin}^2:team.json`);
    const tasks = git(home, "rev-parse", `${planted}^2:tasks`);
    const tree = mktree(`040000 tree ${tasks}\ttasks\n100644 blob ${said}\tteam.json\n`);
    const own = git(home, ...who, "commit-tree", tree, "-m", "x");
    const forged = git(home, ...who, "commit-tree", files, "-p", begin, "-p", own, "-m", "x");
    await assert.rejects(sender.stateOf(forged, place), { code: "teamCommitForeign" });
  });

  it("bring the images that people attached, and nothing else that lies there", async () => {
    const state = join(folder.path, "state");
    const image = join("attachments", `${"a".repeat(64)}.png`);
    await put(join(state, image), "the image\n");
    await put(join(state, "attachments", "stray.sh"), "x\n");
    const files = await sender.filesOf(begin);
    const commit = await sender.commit({ files, parent: begin, state, task, attempt: 1 }, place);
    const root = join(folder.path, "work");
    const checkout = await sender.checkOut(commit, root, place);
    assert.equal(await readFile(join(root, ".rooroo", image), "utf8"), "the image\n");
    const stray = join(root, ".rooroo", "attachments", "stray.sh");
    assert.equal(await lstat(stray).catch(() => undefined), undefined);
    const saved = await sender.save(checkout, { task, attempt: 2, always: true }, place);
    assert.equal(await sender.readState(saved?.head ?? "", image), "the image\n");
  });

  it("are refused if another key, or another plan's signature, is on them", async () => {
    const other = { planId: plan.id, signer: new TeamKey("x".repeat(32), plan) };
    await assert.rejects(sender.stateOf(begin, other), { code: "teamCommitForeign" });
    const elsewhere = { ...plan, repository: "garage" };
    const moved = { planId: plan.id, signer: new TeamKey(key, elsewhere) };
    await assert.rejects(sender.stateOf(begin, moved), { code: "teamCommitForeign" });
    const renamed = { planId: "ROO#PLAN_B", signer: place.signer };
    await assert.rejects(sender.stateOf(begin, renamed), { code: "teamCommitForeign" });
  });

  it("are refused if the signed state stands beside other files", async () => {
    await put(join(home, "a.txt"), "planted\n");
    git(home, "add", "a.txt");
    const tree = git(home, "write-tree");
    const state = git(home, "rev-parse", `${begin}^2`);
    const parent = git(home, "rev-parse", `${begin}^1`);
    const forged = git(home, ...who, "commit-tree", tree, "-p", parent, "-p", state, "-m", "x");
    await assert.rejects(sender.stateOf(forged, place), { code: "teamCommitForeign" });
    const root = join(folder.path, "work");
    await assert.rejects(sender.checkOut(forged, root, place), { code: "teamCommitForeign" });
    assert.equal(await lstat(root).catch(() => undefined), undefined);
    await assert.rejects(sender.stateOf(parent, place), { code: "teamCommitForeign" });
  });

  it("are refused if their state has links", async () => {
    const files = await sender.filesOf(begin);
    const link = (await sender.fileCommit("x", "/etc")).concat(":x");
    const tasks = mktree(`120000 blob ${git(home, "rev-parse", link)}\tetc\n`);
    const said = formatTeamState({ plan: plan.id, task, attempt: 1, files, tasks }, place.signer);
    const blob = git(home, "rev-parse", `${await sender.fileCommit("x", said)}:x`);
    const tree = mktree(`040000 tree ${tasks}\ttasks\n100644 blob ${blob}\tteam.json\n`);
    const own = git(home, ...who, "commit-tree", tree, "-m", "x");
    const commit = git(home, ...who, "commit-tree", files, "-p", begin, "-p", own, "-m", "x");
    const root = join(folder.path, "work");
    await assert.rejects(sender.checkOut(commit, root, place), { code: "teamStateInvalid" });
  });

  for (const path of [".rooroo", ".rooroo/tasks", ".rooroo/attachments"]) {
    it(`do not write through a link that the repository has at ${path}`, async () => {
      const outside = join(folder.path, "outside");
      await mkdir(outside);
      await mkdir(dirname(join(home, path)), { recursive: true });
      await symlink(outside, join(home, path));
      git(home, "add", ".rooroo");
      const files = git(home, "write-tree");
      const state = join(folder.path, "state");
      await put(join(state, "attachments", `${"a".repeat(64)}.png`), "the image\n");
      const made = { files, parent: begin, state, task, attempt: 1 };
      const commit = await sender.commit(made, place);
      const root = join(folder.path, "work");
      await assert.rejects(sender.checkOut(commit, root, place), { code: "teamStateBlocked" });
      assert.deepEqual(await readdir(outside), []);
    });
  }

  it("must be at the plan's own refs, and the remote must be reached in an allowed way", async () => {
    const one = await machine("one");
    const stray = await sender.fileCommit("a", "b");
    await sender.push(stray, "refs/heads/stray");
    await assert.rejects(one.fetch(stray, refs), { code: "teamCommitMissing" });
    const marker = join(folder.path, "ran");
    const program = await TeamRepository.cache(
      join(folder.path, "ext.git"),
      `ext::sh -c "touch ${marker}"`,
    );
    await assert.rejects(program.fetch(begin, refs), { code: "gitRefused" });
    assert.equal(await lstat(marker).catch(() => undefined), undefined);
    const plain = await TeamRepository.cache(join(folder.path, "http.git"), "http://127.0.0.1:1/x");
    await assert.rejects(plain.fetch(begin, refs), /not allowed/);
  });

  it("carry no filter's output, and run none", async () => {
    await put(join(home, ".gitattributes"), "*.big filter=evil\n");
    await put(join(home, "x.big"), "pointer\n");
    git(home, "add", ".");
    const files = git(home, "write-tree");
    const state = join(folder.path, "state");
    const made = { files, parent: begin, state, task: null, attempt: 0 };
    const commit = await sender.commit(made, place);
    const marker = join(folder.path, "filtered");
    for (const kind of ["smudge", "clean"]) {
      git(home, "config", `filter.evil.${kind}`, `touch ${marker}; cat`);
    }
    const root = join(folder.path, "work");
    const checkout = await sender.checkOut(commit, root, place);
    assert.equal(await readFile(join(root, "x.big"), "utf8"), "pointer\n");
    await put(join(root, "x.big"), "changed\n");
    await sender.save(checkout, { task, attempt: 1, always: true }, place);
    assert.equal(await lstat(marker).catch(() => undefined), undefined);
  });

  it("have a ref by which one machine is the first, of several that try at once and of all later ones", async () => {
    const ref = closedRef("ROO-SUB_A_S001-1-0123456789ab");
    const machines = await Promise.all(["one", "two", "three"].map(machine));
    const tries = await Promise.all(
      machines.map((one, number) => one.pushFirst(ref, `{"lot":${number}}\n`)),
    );
    assert.deepEqual(tries.filter(Boolean), [true]);
    const made = git(remote, "rev-parse", ref);
    assert.equal(await sender.pushFirst(ref, '{"lot":7}\n'), false);
    assert.equal(git(remote, "rev-parse", ref), made);
    assert.ok(await sender.isAt(baseRef, begin));
    assert.ok(!(await sender.isAt(baseRef, made)));
    assert.ok(!(await sender.isAt("refs/rooroo/base/ROO-PLAN", begin)));
    // A ref of the same name below another place is not meant.
    git(remote, "update-ref", "refs/heads/refs/rooroo/base/ROO-PLAN_B", begin);
    assert.ok(!(await sender.isAt("refs/rooroo/base/ROO-PLAN_B", begin)));
    await rm(remote, { recursive: true });
    await assert.rejects(sender.pushFirst(closedRef("other"), "{}\n"), { code: "gitRefused" });
  });

  it("leave no refs of a plan that is over, here or on the remote, and those of others", async () => {
    const left = { id: plan.id, tasks: [{ id: task, labels: [] }] };
    const own = [
      baseRef,
      wipRef,
      "refs/rooroo/result/ROO-SUB_A_S001/12",
      "refs/rooroo/answer/ROO-SUB_A_S001-1-0123456789ab",
      "refs/rooroo/answer/ROO-SUB_A_S001-2-0123456789ab-0123456789ab",
      closedRef("ROO-SUB_A_S001-1"),
      closedRef("ROO-SUB_A_S001-2-0123456789ab"),
    ];
    const others = [
      "refs/heads/main",
      "refs/rooroo/base/ROO-PLAN_AB",
      "refs/rooroo/wip/ROO-SUB_A_S0012/1",
      "refs/rooroo/answer/ROO-SUB_A_S001-other",
    ];
    for (const ref of [...own, ...others]) {
      await sender.push(begin, ref);
      git(home, "update-ref", ref, begin);
    }
    const before = git(home, "for-each-ref", "--format=%(refname)").split("\n");
    await sender.deleteRefs(refsLeft(left), (ref) => isLeftBy(ref, left));
    const there = git(remote, "for-each-ref", "--format=%(refname)").split("\n");
    assert.deepEqual(there, [...others].sort());
    const here = git(home, "for-each-ref", "--format=%(refname)").split("\n");
    assert.deepEqual(
      here,
      before.filter((ref) => !own.includes(ref)),
    );
    await sender.deleteRefs(refsLeft(left), (ref) => isLeftBy(ref, left));
  });
});
