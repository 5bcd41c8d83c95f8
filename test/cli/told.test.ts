import { strict as assert } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpModelRequest, HttpReply } from "../fakes/httpModel.js";
import { calls, completes, triages } from "../fakes/navigatorWorld.js";
import { saysWritten } from "../fakes/scriptedModel.js";
import { gif, png } from "../fakes/smallImages.js";
import { isTriage } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const request = `Fix src/cart.js:
1. never below zero
9. name the constant MAX_OFF`;

/** Returns a developer that can only do its part with the analyzer's findings and the user's last requirement. */
function plays(told: HttpModelRequest): HttpReply {
  const [system = "", first = ""] = told.messages.map(({ content }) => content ?? "");
  const isWritten = told.results.some(({ content }) => saysWritten(content));
  if (isTriage(told)) return triages({ route: "plan", goal: "Fix it." });
  if (system.includes("You are rooroo-planner")) {
    const tasks = ["analyzer", "developer"].map((name) => ({
      suggested_mode: `rooroo-${name}`,
      goal_for_expert: `Part of the ${name}`,
    }));
    return completes({ plan_overview: "Cause, then fix.", queue_tasks_json_lines: tasks });
  }
  if (system.includes("You are rooroo-analyzer"))
    return completes({ message: "It is applyOff()." });
  const known = [/applyOff/, /MAX_OFF/, /Scripts of package\.json: test/].map(
    (one) => one.exec(first)?.[0],
  );
  if (known.includes(undefined)) return completes({ status: "Failed", message: "Nobody told me." });
  const isRead = told.results.some(({ content }) => content === "1 | old");
  if (!isRead && !isWritten) return calls("read_file", { path: "src/cart.js" });
  const content = `${known.slice(0, 2).join(" ")}\n`;
  return isWritten ? completes() : calls("write_to_file", { path: "src/cart.js", content });
}

describe("what an expert is told", () => {
  afterEach(closeStages);

  const files = {
    "src/cart.js": "old\n",
    "package.json": '{ "scripts": { "test": "node --test" } }\n',
  };

  it("reaches the developer of a plan: the request, the findings, the project's scripts", async () => {
    const stage = await Stage.open(plays, files);
    const { code, stdout } = await stage.runAll("ask", request);
    assert.equal(code, 0, stdout);
    assert.equal(await stage.read("src/cart.js"), "applyOff MAX_OFF\n");
  });

  it("has what is attached and what @ names, images as such, also of elsewhere, and says what is not read", async () => {
    const stage = await Stage.open(() => completes(), {
      ...files,
      "src/tax.js": "one\ntwo\nthree\n",
      ".env": "KEY=hunter22\n",
    });
    await writeFile(stage.path("shot.png"), png);
    const outside = await mkdtemp(join(tmpdir(), "rooroo-outside-"));
    await writeFile(join(outside, "notes.txt"), "hunter33");
    await writeFile(join(outside, "named.gif"), gif);
    await writeFile(join(outside, "mentioned.png"), png);
    const attached = ["src/tax.js:2-3", "shot.png", ".env", join(outside, "named.gif")].flatMap(
      (path) => ["--attach", path],
    );
    const { code, stdout, stderr } = await stage.runAll(
      "ask",
      `/do Round @src/cart.js @${outside}/mentioned.png`,
      ...attached,
    );
    assert.equal(code, 0, stdout);
    const [told] = stage.model.requests;
    const first = told?.messages[1]?.content ?? "";
    assert.match(first, /<data from="src\/tax\.js, lines 2 to 3">\ntwo\nthree\n<\/data>/);
    assert.match(first, /<data from="src\/cart\.js">\nold\n<\/data>/);
    assert.deepEqual(told?.images, [
      `data:image/png;base64,${Buffer.from(png).toString("base64")}`,
      `data:image/gif;base64,${Buffer.from(gif).toString("base64")}`,
    ]);
    assert.match(stderr, /Not attached: \.env may hold keys or passwords\./);
    assert.doesNotMatch(first, /hunter22/);
    const text = await stage.run("ask", "x", "--attach", join(outside, "notes.txt"));
    assert.equal(text.code, 1);
    assert.match(text.stderr, /notes\.txt is not a PNG/);
    await rm(outside, { recursive: true, force: true });
    const missing = await stage.run("ask", "x", "--attach", "gone.js");
    assert.equal(missing.code, 64);
    assert.match(missing.stderr, /There is no file or folder gone\.js to attach\./);
  });

  it("reaches it, too, when the process was killed before its first turn", async () => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let isSlow = true;
    let release = (): void => undefined;
    const ended = new Promise<void>((resolve) => (release = resolve));
    const stage = await Stage.open(async (told) => {
      if (isSlow && told.messages[0]?.content?.includes("You are rooroo-analyzer") === true) {
        asked();
        await ended;
      }
      return plays(told);
    }, files);
    const first = stage.start("ask", request, "--approve", "all");
    await isAsked;
    first.kill("SIGKILL");
    await first.ended;
    isSlow = false;
    release();
    const { code, stdout } = await stage.runAll("proceed");
    assert.equal(code, 0, stdout);
    assert.equal(await stage.read("src/cart.js"), "applyOff MAX_OFF\n");
  });
});
