import assert from "node:assert/strict";
import { FileError } from "../../../../src/core/errors.js";
import { type Said, spoken } from "../../../../src/core/text/words.js";
import { writeToFile } from "../../../../src/core/tools/editing/writeToFile.js";
import { listFiles } from "../../../../src/core/tools/reading/listFiles.js";
import { readFile } from "../../../../src/core/tools/reading/readFile.js";
import { searchFiles } from "../../../../src/core/tools/reading/searchFiles.js";
import { workspaceTools } from "../../../../src/core/tools/workspaceTools.js";
import { ToolWorld } from "../tools/toolWorld.js";

const isIgnored = (error: unknown) =>
  error instanceof FileError &&
  error.code === "EHIDDEN" &&
  spoken(error.params["reason"] as Said).startsWith("hidden by .rooignore");

describe(".rooignore", () => {
  const files = {
    ".rooignore": "secret/\n*.key\n!public.key\n",
    "secret/a.txt": "needle",
    "b.key": "needle",
    "public.key": "x",
    "src/c.txt": "needle",
  };

  it("hides files from every tool that takes a path", async () => {
    const world = new ToolWorld(files);
    world.files.link("alias", "secret");
    const fields = {
      content: "x",
      diff: "<<<<<<< SEARCH\nneedle\n=======\nx\n>>>>>>> REPLACE",
      old_text: "needle",
      new_text: "x",
      line: 1,
      regex: "x",
    };
    let tried = 0;
    for (const tool of workspaceTools) {
      if (tool.kind !== "action" || tool.needs !== undefined) continue;
      for (const path of [
        "secret/a.txt",
        "SECRET/a.txt",
        "./src/../b.key",
        "alias/a.txt",
        "secret/new",
      ]) {
        const args = tool.parameters.safeParse({ ...fields, path });
        if (!args.success || !("path" in args.data)) continue;
        const attempt = async () => {
          const prepared = await tool.prepare(args.data, world.context);
          return "ok" in prepared ? prepared : prepared.run({});
        };
        await assert.rejects(attempt(), isIgnored, `${tool.name} ${path}`);
        tried++;
      }
    }
    assert.ok(tried >= 35, `${tried}`);
    assert.equal(world.files.text("secret/a.txt"), "needle");
    assert.equal(world.files.text("secret/new"), undefined);
  });

  it("leaves what is hidden out of lists and searches", async () => {
    const world = new ToolWorld(files);
    const listed = await world.use(listFiles, { path: ".", recursive: true });
    assert.equal(listed.content, [".rooignore", "public.key", "src/", "src/c.txt"].join("\n"));
    const found = await world.use(searchFiles, { path: ".", regex: "needle" });
    assert.equal(found.content, "src/c.txt\n1 | needle");
    assert.deepEqual(
      (await world.context.files.readDirectory("")).map(({ name }) => name),
      [".rooignore", "public.key", "src"],
    );
  });

  it("counts for each call as it is then", async () => {
    const world = new ToolWorld(files);
    await assert.rejects(world.context.files.readFile("b.key"), { code: "EHIDDEN" });
    world.files.put(".rooignore", "src\n");
    assert.notEqual(await world.context.files.readFile("b.key"), undefined);
    await assert.rejects(world.context.files.readFile("src/c.txt"), { code: "EHIDDEN" });
    await world.files.removeFile(".rooignore");
    assert.notEqual(await world.context.files.readFile("src/c.txt"), undefined);
  });

  it("leaves Rooroo's own folder in use, whatever it says", async () => {
    const world = new ToolWorld({ ".rooignore": "*\n", ".rooroo/tasks/T/a.md": "x", a: "x" });
    assert.equal((await world.use(readFile, { path: ".rooroo/tasks/T/a.md" })).ok, true);
    await world.use(writeToFile, { path: ".rooroo/tasks/T/b.md", content: "x" });
    await assert.rejects(world.use(readFile, { path: "a" }), { code: "EHIDDEN" });
  });

  it("hides everything while it cannot be read", async () => {
    const broken: ((world: ToolWorld) => void)[] = [
      (world) => {
        world.files.put(".rooignore/x", "");
      },
      (world) => {
        world.files.put(".rooignore", Uint8Array.from([0xff, 0xfe, 0xff]));
      },
      (world) => {
        world.files.put(".rooignore", new Uint8Array(1_000_001));
      },
      (world) => {
        world.files.link(".rooignore", "nowhere");
      },
      (world) => {
        world.files.beforeOperation = (operation, path) => {
          if (operation === "readFile" && path === ".rooignore") throw new Error("no permission");
        };
        world.files.put(".rooignore", "");
      },
    ];
    for (const spoil of broken) {
      const world = new ToolWorld({ "src/c.txt": "needle" });
      spoil(world);
      for (const attempt of [
        () => world.use(readFile, { path: "src/c.txt" }),
        () => world.use(listFiles, { path: "." }),
        () => world.use(searchFiles, { path: "src", regex: "x" }),
        () => world.use(writeToFile, { path: "new", content: "x" }),
      ]) {
        await assert.rejects(attempt(), { code: "EHIDDEN", path: ".rooignore" });
      }
    }
  });

  it("is told to who asks about a command's paths", async () => {
    const world = new ToolWorld({ ...files, "x/HEAD": "", "x/objects/a": "", "x/refs/a": "" });
    world.files.link("out", "/etc");
    const { guard } = world.context;
    assert.equal((await guard.locate("src/../secret/new")).ignored !== undefined, true);
    assert.equal((await guard.locate("src/c.txt")).ignored !== undefined, false);
    const { path, inside, ignored, protection, secret } = await guard.locate("out/passwd");
    assert.deepEqual(
      { path, inside, ignored, protection, secret },
      {
        path: "/etc/passwd",
        inside: false,
        ignored: undefined,
        protection: undefined,
        secret: true,
      },
    );
    assert.match(
      spoken((await guard.locate("x/config")).protection ?? ""),
      /Git takes x\/ for a repository/,
    );
    assert.match(
      spoken((await guard.locate("x/hooks/pre-commit")).protection ?? ""),
      /Git takes x\//,
    );
    assert.match(spoken((await guard.locate("y/HEAD")).protection ?? ""), /Version control/);
    assert.equal((await guard.locate("src/config")).protection, undefined);
  });
});
