import assert from "node:assert/strict";
import { chmodSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileError } from "../../src/core/errors.js";
import type { ShellResult } from "../../src/core/ports/shell.js";
import { describeSandboxed, never, noNetwork, requestOf } from "./sandboxed.js";

await describeSandboxed("Sandbox: what a command has changed", (world) => {
  const at = (path: string) => join(world.root, path);
  const text = (path: string) => readFileSync(at(path), "utf8");
  const changed = ({ layer }: ShellResult) =>
    layer?.changes.map(({ path, kind, size }) => `${kind} ${path} ${size}`);
  const start = (command: string) =>
    world.shell().run({ ...requestOf(command), sandbox: noNetwork }, never);

  beforeEach(async () => {
    await mkdir(at("src/deep"), { recursive: true });
    await writeFile(at("a.txt"), "a");
    await writeFile(at("src/b.txt"), "b");
    await writeFile(at("src/deep/c.txt"), "c");
    await symlink("a.txt", at("link"));
  });

  it("is nothing where it only reads", async () => {
    assert.deepEqual(changed(await world.run("cat a.txt; ls -R; git status; true")), []);
  });

  it("is each file that it made, changed, moved, linked or removed", async () => {
    const result = await world.runAndApply(
      "echo new > new.txt; echo more >> a.txt; mv src/b.txt src/moved.txt; mkdir -p x/y; ln -s ../a.txt x/to-a; rm link; chmod +x src/deep/c.txt; mkfifo x/pipe",
    );
    assert.deepEqual(changed(result), [
      "file a.txt 6",
      "removed link 0",
      "file new.txt 4",
      "removed src/b.txt 0",
      "file src/deep/c.txt 1",
      "file src/moved.txt 1",
      "folder x 0",
      "link x/to-a 0",
      "folder x/y 0",
    ]);
    assert.equal(text("a.txt"), "amore\n");
    assert.equal(text("src/moved.txt"), "b");
    assert.equal(readlinkSync(at("x/to-a")), "../a.txt");
    assert.equal(lstatSync(at("src/deep/c.txt")).mode & 0o777, 0o755);
    assert.deepEqual(await readdir(world.root), ["a.txt", "new.txt", "src", "x"]);
    assert.deepEqual(await readdir(at("src")), ["deep", "moved.txt"]);
  });

  it("can be read before it is applied", async () => {
    const { layer } = await start("echo more >> a.txt; ln -s /etc/passwd out");
    assert.ok(layer);
    const [file, link] = layer.changes;
    assert.ok(file && link);
    assert.equal(Buffer.from(await layer.read(file)).toString(), "amore\n");
    await assert.rejects(layer.read(link), FileError);
    await layer.discard();
    assert.equal(text("a.txt"), "a");
  });

  it("knows a folder that was removed and made anew from one in which something was written", async () => {
    const written = await world.run("echo d > src/deep/d.txt");
    assert.deepEqual(changed(written), ["file src/deep/d.txt 2"]);
    const anew = await world.runAndApply(
      "rm -r src; mkdir -p src/deep; echo d > src/deep/d.txt; echo b > src/b.txt",
    );
    assert.deepEqual(changed(anew), [
      "file src/b.txt 2",
      "removed src/deep/c.txt 0",
      "file src/deep/d.txt 2",
    ]);
    assert.deepEqual(await readdir(at("src/deep")), ["d.txt"]);
  });

  it("puts a file where a folder was, and a folder where a file was", async () => {
    await world.runAndApply(
      "rm -r src; echo file > src; rm a.txt; mkdir a.txt; echo in > a.txt/in",
    );
    assert.equal(text("src"), "file\n");
    assert.equal(text("a.txt/in"), "in\n");
  });

  it("keeps times, and lends nobody its owner's rights", async () => {
    await world.runAndApply(
      "touch -d '2001-02-03 04:05:06' old.txt; cp /bin/true own; chmod 4755 own",
    );
    assert.equal(lstatSync(at("old.txt")).mtime.getFullYear(), 2001);
    assert.equal(lstatSync(at("own")).mode & 0o7777, 0o755);
  });

  it("applies what it is told to, and nothing else", async () => {
    const { layer } = await start(
      "echo 1 > one; echo 2 > two; rm a.txt; mkdir f; echo 3 > f/three",
    );
    assert.ok(layer);
    const some = layer.changes.filter(({ path }) => path === "two" || path === "f/three");
    assert.deepEqual(await layer.apply(some), [{ path: "f/three", why: "failed" }]);
    await layer.discard();
    assert.deepEqual(await readdir(world.root), ["a.txt", "link", "src", "two"]);
  });

  it("leaves what somebody else changed meanwhile, made or put somewhere", async () => {
    await writeFile(at("signal"), "");
    let begun = (): void => undefined;
    const onBegun = new Promise<void>((resolve) => (begun = resolve));
    const running = world.shell().run(
      {
        ...requestOf(
          "echo on; until grep -q go signal; do :; done; echo theirs > a.txt; echo theirs > both; rm -r src; echo theirs > other",
        ),
        sandbox: noNetwork,
        onOutput: () => {
          begun();
        },
      },
      never,
    );
    await onBegun;
    writeFileSync(at("a.txt"), "mine");
    writeFileSync(at("both"), "mine");
    writeFileSync(at("src/deep/mine"), "mine");
    chmodSync(at("src/b.txt"), 0o600);
    writeFileSync(at("signal"), "go");
    const { layer } = await running;
    assert.ok(layer);
    assert.deepEqual(await layer.apply(layer.changes), [
      { path: "a.txt", why: "changed" },
      { path: "both", why: "changed" },
      { path: "src", why: "changed" },
      { path: "src/b.txt", why: "changed" },
      { path: "src/deep", why: "changed" },
      { path: "src/deep/mine", why: "changed" },
    ]);
    await layer.discard();
    assert.deepEqual(["a.txt", "both", "other", "src/deep/mine"].map(text), [
      "mine",
      "mine",
      "theirs\n",
      "mine",
    ]);
  });

  it("follows no link that somebody puts in its way", async () => {
    const { layer } = await start("echo x > src/deep/x; echo y > y");
    assert.ok(layer);
    await mkdir(join(world.home, "deep"));
    await rename(at("src"), at("src2"));
    await symlink(world.home, at("src"));
    await symlink(join(world.home, "y"), at("y"));
    assert.deepEqual(await layer.apply(layer.changes), [
      { path: "src/deep/x", why: "failed" },
      { path: "y", why: "changed" },
    ]);
    await layer.discard();
    assert.deepEqual(await readdir(world.home, { recursive: true }), ["deep"]);
  });

  it("keeps two commands apart that run at the same time", async () => {
    const [one, two] = await Promise.all([
      start("echo 1 > one; echo 1 > same; echo 1 > ~/.cache/x; ls"),
      start("echo 2 > two; echo 2 > same; echo 2 > ~/.cache/x; ls"),
    ]);
    assert.deepEqual(changed(one), ["file one 2", "file same 2"]);
    assert.deepEqual(changed(two), ["file same 2", "file two 2"]);
    assert.deepEqual(await one.layer?.apply(one.layer.changes), []);
    assert.deepEqual(await two.layer?.apply(two.layer.changes), [{ path: "same", why: "changed" }]);
    await one.layer?.discard();
    await two.layer?.discard();
    assert.equal(text("same"), "1\n");
  });

  it("leaves out what has a name that is no UTF-8, and keeps the rest", async () => {
    await mkdir(at("src/more"));
    const odd = Buffer.concat([Buffer.from(at("src/more/")), Buffer.from([0x6f, 0xe4])]);
    writeFileSync(odd, "mine");
    const { layer } = await start(
      "echo 1 > good; echo 2 > 'two\nlines'; echo 3 > $'b\\xffd'; mkdir $'\\xfe'; echo 4 > $'\\xfe'/in; rm -r src/more",
    );
    assert.ok(layer);
    assert.deepEqual(layer.left, [
      { path: "\\xfe", why: "notUtf8" },
      { path: "b\\xffd", why: "notUtf8" },
      { path: "src/more/o\\xe4", why: "notUtf8" },
    ]);
    assert.deepEqual(await layer.apply(layer.changes), [{ path: "src/more", why: "changed" }]);
    await layer.discard();
    assert.deepEqual(["good", "two\nlines"].map(text), ["1\n", "2\n"]);
    assert.equal(readFileSync(odd, "utf8"), "mine");
    assert.deepEqual(await readdir(join(world.data, "layers")), []);
  });

  it("leaves out what lies deeper than a path can say", async () => {
    const { layer } = await start(
      "echo 1 > good; for i in $(seq 200); do mkdir a-name-of-twenty-five; cd a-name-of-twenty-five; done; echo 2 > deep",
    );
    assert.ok(layer);
    assert.deepEqual(
      layer.left.map(({ why }) => why),
      ["tooLong"],
    );
    assert.deepEqual(await layer.apply(layer.changes), []);
    await layer.discard();
    assert.equal(text("good"), "1\n");
    assert.deepEqual(await readdir(join(world.data, "layers")), []);
  });

  it("compares nothing with what is in a folder that the person has shut", async () => {
    await mkdir(at("shut"));
    await writeFile(at("shut/in"), "mine");
    chmodSync(at("shut"), 0);
    const { layer } = await start("chmod 700 shut; echo theirs > shut/in; echo 1 > good");
    assert.ok(layer);
    await layer.apply(layer.changes);
    await layer.discard();
    chmodSync(at("shut"), 0o700);
    assert.equal(text("good"), "1\n");
  });

  it("leaves nothing behind, whatever a command did to its folders", async () => {
    await world.run("mkdir -p shut/in && echo x > shut/in/x && chmod 0 shut/in shut; rm -r src");
    assert.deepEqual(await readdir(join(world.data, "layers")), []);
  });

  it("is applied quickly where it is thousands of files", async () => {
    const { layer } = await start(
      "for d in $(seq 40); do mkdir -p n/$d; for f in $(seq 50); do echo $f > n/$d/$f; done; done",
    );
    assert.equal(layer?.changes.length, 2041);
    assert.deepEqual(await layer.apply(layer.changes), []);
    await layer.discard();
    assert.equal(text("n/40/50"), "50\n");
  });

  it("holds a commit of git's", async () => {
    await world.runAndApply(
      "git init -q . && git config user.email a@b.c && git config user.name n && git add -A && git commit -qm first",
    );
    await world.runAndApply("echo more >> a.txt; git commit -qam second");
    const { output } = await world.run("git status --short; git log --format=%s; git fsck");
    assert.equal(output, "second\nfirst\n");
  });
});
