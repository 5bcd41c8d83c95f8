import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { type ExpertRequest, plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const path = ".agents/skills/greet/SKILL.md";
const skill =
  "---\nname: greet\ndescription: Writes a greeting. Use it for every greeting.\nallowed-tools: execute_command write_to_file\n---\n\nWrite `Ahoy` and the name, nothing else.\n";
const files = {
  [path]: skill,
  ".roo/skills/broken/SKILL.md": "---\nname: broken\ndescription: Use when: never\n---\n",
};

/** Reads the skill that the prompt offers for greetings, does in its task's folder what that says, and reports. */
function greets(request: ExpertRequest) {
  const [, offered = "none"] =
    /^- greet \((\S+)\): Writes a greeting\./m.exec(request.messages[0]?.content ?? "") ?? [];
  switch (settled(request)) {
    case 0:
      return calls("read_file", { path: offered });
    case 1: {
      const [, word = "Hello"] =
        /Write `(\w+)` and the name/.exec(request.results[0]?.content ?? "") ?? [];
      const note = `.rooroo/tasks/${request.taskId}/greeting.txt`;
      return calls("write_to_file", { path: note, content: `${word} Ada\n` });
    }
    default:
      return completes({
        message: "Greeted.",
        output_artifact_paths: [`.rooroo/tasks/${request.taskId}/greeting.txt`],
      });
  }
}

const decision = { route: "direct", expert: "rooroo-developer", goal: "Greet Ada" };

async function greeting(stage: Stage): Promise<string> {
  const [task = ""] = await stage.list(".rooroo/tasks");
  return stage.read(`.rooroo/tasks/${task}/greeting.txt`);
}

describe("a skill", () => {
  afterEach(closeStages);

  it("reaches the model by name and description, and is read and used without approval", async () => {
    const stage = await Stage.open(plays(decision, { "rooroo-developer": greets }), files);
    const { code, stdout, stderr } = await stage.run("ask", "Greet Ada");
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await greeting(stage), "Ahoy Ada\n");
    const prompt = stage.model.requests[1]?.messages[0]?.content ?? "";
    assert.doesNotMatch(prompt, /Ahoy|allowed-tools/);
    const told =
      /The skill \.roo\/skills\/broken\/SKILL\.md is used all the same\. Line 3: .*needs quotes/;
    assert.match(stdout + stderr, told);
  });

  it("is also a command: the request names its file, and what follows the name", async () => {
    const stage = await Stage.open(plays(decision, { "rooroo-developer": greets }), files);
    const { code, stdout, stderr } = await stage.run("ask", "/greet", "Ada");
    assert.equal(code, 0, stdout + stderr);
    const said = stage.model.requests[0]?.messages[1]?.content ?? "";
    assert.ok(said.includes(`Use the skill greet: read ${path} and follow it.\n\nAda`));
    assert.equal(await greeting(stage), "Ahoy Ada\n");
  });

  it("allows nothing, whatever its front matter says", async () => {
    const stage = await Stage.open(
      plays(decision, {
        "rooroo-developer": (request) =>
          settled(request) === 0
            ? calls("read_file", { path })
            : calls("execute_command", { command: "touch done.txt" }),
      }),
      files,
    );
    const { code, stdout } = await stage.run("ask", "Greet Ada", "--approve", "safe");
    assert.equal(code, 2, stdout);
    assert.match(stdout, /touch done\.txt/);
    assert.ok(!(await stage.list("")).includes("done.txt"));
  });

  it("is not used when it is a link that leads out of the workspace, or to a hidden file", async () => {
    const stage = await Stage.open(plays(decision, { "rooroo-developer": () => completes() }), {
      ".rooignore": "private/\n",
      "private/greet/SKILL.md": skill,
      ".claude/skills/readme.md": "x",
      ".roo/skills/readme.md": "x",
    });
    await symlink(stage.path("private/greet"), stage.path(".roo/skills/greet"));
    const outside = join(stage.home, "greet");
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, "SKILL.md"), skill);
    await symlink(outside, stage.path(".claude/skills/greet"));
    const { stdout, stderr } = await stage.run("ask", "Greet Ada");
    assert.doesNotMatch(stage.model.requests[1]?.messages[0]?.content ?? "", /greet/);
    const told = stdout + stderr;
    assert.match(told, /\.roo\/skills\/greet\/SKILL\.md is not used\. It is a link to private/);
    assert.match(told, /\.claude\/skills\/greet\/SKILL\.md is not used\. [^\n]*outside/);
  });

  it("of the user's own folder is used without approval in any workspace", async () => {
    const home = await mkdtemp(join(tmpdir(), "rooroo-user-"));
    try {
      await mkdir(join(home, dirname(path)), { recursive: true });
      await writeFile(join(home, path), skill);
      const env = { HOME: home };
      const stage = await Stage.open(plays(decision, { "rooroo-developer": greets }), {}, env);
      const { code, stdout, stderr } = await stage.run("ask", "Greet Ada");
      assert.equal(code, 0, stdout + stderr);
      assert.equal(await greeting(stage), "Ahoy Ada\n");
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
