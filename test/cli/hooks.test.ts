import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const decision = { route: "direct", expert: "rooroo-developer", goal: "Write a.js" };
const script = () =>
  plays(decision, {
    "rooroo-developer": (request) =>
      settled(request) === 0
        ? calls("write_to_file", { path: "a.js", content: "let a=1" })
        : completes({ message: "Written.", output_artifact_paths: ["a.js"] }),
  });

async function open(hooks: unknown): Promise<Stage> {
  const stage = await Stage.open(script(), {
    "hooks.json": '{"beforeTask":[{"command":"exit 2"}]}',
  });
  await mkdir(stage.home, { recursive: true });
  await writeFile(join(stage.home, "hooks.json"), JSON.stringify(hooks));
  return stage;
}

describe("the user's own hooks", () => {
  afterEach(closeStages);

  it("are read from their own folder alone, and what a formatter changes is undone with the task", async () => {
    const command = `read -r event; printf 'let a = 1;\\n' > "$ROOROO_PATH"; echo "$event" > event.json; env > env.txt`;
    const stage = await open({ afterTool: [{ tools: ["write"], command }] });
    const { code, stdout, stderr } = await stage.runAll("ask", "Write a.js");
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await stage.read("a.js"), "let a = 1;\n");
    const event = JSON.parse(await stage.read("event.json")) as Record<string, unknown>;
    assert.deepEqual(
      [event["event"], event["tool"], event["path"]],
      ["afterTool", "write_to_file", "a.js"],
    );
    assert.doesNotMatch(await stage.read("env.txt"), /_API_KEY=/);
    const [{ taskId } = { taskId: "" }] = await stage.tasks();
    const undone = await stage.run("undo", taskId);
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    assert.equal(await stage.read("a.js"), "");
    assert.equal(await stage.read("event.json"), "");
  });

  it("refuse by exit code 2, and what cannot be read runs nothing", async () => {
    const stage = await open({
      beforeTool: [{ tools: ["write"], command: "echo No >&2; exit 2" }],
    });
    await stage.runAll("ask", "Write a.js");
    assert.equal(await stage.read("a.js"), "");
    const broken = await open({ beforeTol: [] });
    const { code, stderr } = await broken.runAll("ask", "Write a.js");
    assert.equal(code, 64, stderr);
    assert.match(stderr, /hooks\.json cannot be used/);
  });
});
