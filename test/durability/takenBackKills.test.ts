import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readTemporaryName } from "../../src/core/access/temporaryName.js";
import { plays, settled } from "../cli/script.js";
import { closeStages, Stage } from "../cli/stage.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { rooExport } from "../fakes/rooExport.js";
import { KilledStage } from "./killedStage.js";
import { findsNo, wantedKills } from "./kills.js";

/** The person's files, their own folder, and what says that it is done. */
const kinds = /^(link|rename|rm|unlink) (HOME|project|.*(undone|restor))/;
/** The more files a task has changed, the more moments there are. */
const made = Array.from(
  { length: wantedKills === undefined ? 1 : 8 },
  (_, index) => `b/new${index + 1}.txt`,
);
const before: Readonly<Record<string, string>> = { "a.txt": "one\n", "gone.txt": "here\n" };
const taskChanges = {
  "a.txt": "two\n",
  ...Object.fromEntries(made.map((path) => [path, "new\n"])),
};
/** `""`: there is no such file. */
const takenBack = { ...before, ...Object.fromEntries(made.map((path) => [path, ""])) };

const works = plays(
  { route: "direct", expert: "rooroo-developer", goal: "Change it" },
  {
    "rooroo-developer": (request) =>
      [
        calls("edit_file", { path: "a.txt", old_text: "one", new_text: "two" }),
        ...made.map((path) => calls("write_to_file", { path, content: "new\n" })),
      ][settled(request)] ?? completes(),
  },
);

describe("what takes changes back, whose process is killed", function () {
  // No verdict depends on how fast the machine is.
  this.timeout(3_600_000);
  afterEach(closeStages);

  async function changed() {
    const stage = await Stage.open(works, before);
    assert.equal((await stage.runAll("ask", "Change it")).code, 0);
    const [task] = await stage.tasks();
    const texts = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.keys(takenBack).map(async (path) => [path, await stage.read(path)]),
        ),
      ) as Record<string, string>;
    return { killed: new KilledStage(stage, kinds), texts, taskId: task?.taskId ?? "" };
  }

  it("has a task's changes undone by the next, once", async () => {
    const { killed, texts, taskId } = await changed();
    const kills = await killed.killedAtEach("undo", ["undo", taskId], async (shown) => {
      const next = await killed.run("undo", taskId);
      assert.deepEqual(await texts(), takenBack, `${shown}: ${next.stderr}`);
      const again = await killed.run("undo", taskId);
      await findsNo("twice", async () => {
        assert.deepEqual(await texts(), takenBack, `${shown}: ${again.stderr}`);
      });
    });
    assert.ok(kills > 1, String(kills));
  });

  it("has files and conversation restored by the next, and restored again when that is undone", async () => {
    const { killed, texts } = await changed();
    const restore = ["restore", "1", "--yes"];
    const kills = await killed.killedAtEach("restore", restore, async (shown) => {
      const { stdout } = await killed.run("restore");
      const isCutOff = stdout.startsWith("The last restore has not finished.");
      if (isCutOff) assert.equal((await killed.run(...restore)).code, 64, shown);
      const next = await killed.run(...(isCutOff ? ["restore", "--yes"] : restore));
      assert.deepEqual(await texts(), takenBack, `${shown}: ${next.stderr}`);
      assert.equal((await killed.run("restore")).stdout, "No messages.\n", shown);
      const undone = await killed.run("restore", "--undo");
      assert.equal(undone.code, 0, `${shown}: ${undone.stderr}`);
      assert.deepEqual(await texts(), { ...before, ...taskChanges }, shown);
      const messages = (await killed.run("restore")).stdout;
      await findsNo("twice", () => {
        assert.equal(messages.match(/Change it/g)?.length, 1, shown);
      });
    });
    assert.ok(kills > 1, String(kills));
  });

  it("has settings imported by the next, each once", async () => {
    const stage = await Stage.open(() => assert.fail("no model is asked"), {
      "roo-code-settings.json": JSON.stringify(rooExport),
    });
    await mkdir(stage.home);
    const killed = new KilledStage(stage, kinds);
    const imported = ["import", "roo-code-settings.json", "--apply"];
    const kills = await killed.killedAtEach("import", imported, async (shown) => {
      const next = await killed.run(...imported);
      assert.equal(next.code, 0, `${shown}: ${next.stderr}`);
      const models = JSON.parse(await readFile(join(stage.home, "models.json"), "utf8")) as {
        profiles: object;
      };
      assert.deepEqual(Object.keys(models.profiles).sort(), [
        "claude",
        "company",
        "local",
        "router",
      ]);
      const modes = await stage.read(".roomodes");
      await findsNo("twice", () => {
        assert.equal(modes.match(/docs-writer/g)?.length, 1, shown);
      });
      const names = (await Promise.all([stage.root, stage.home].map((one) => readdir(one)))).flat();
      assert.deepEqual(
        names.filter((name) => readTemporaryName(name) !== undefined),
        [],
        shown,
      );
    });
    assert.ok(kills > 1, String(kills));
  });
});
