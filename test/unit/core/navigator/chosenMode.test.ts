import assert from "node:assert/strict";
import { inLanguage } from "../../../../src/core/conversation/events/eventWords.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { repeatedAction } from "../../../../src/core/conversation/state/repeatedAction.js";
import { translator } from "../../../../src/core/text/translator.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";

/** Returns the text of what the model was told at the beginning of a task. */
const begun = (world: NavigatorStage) =>
  JSON.stringify(world.model.requests[0]?.messages.map(({ content }) => content));
const said = (world: NavigatorStage) =>
  world.events.flatMap((event) => (event.type === "user" ? [event.text] : []));

describe("a request with a chosen mode", () => {
  for (const [expert, who] of [
    ["rooroo-analyzer", "You are rooroo-analyzer"],
    ["rooroo-developer", "You are rooroo-developer"],
    ["rooroo-planner", "You are rooroo-planner"],
  ] as const) {
    it(`goes to ${expert} without triage, in the words that were typed`, async () => {
      const world = new NavigatorStage([completes({ status: "Failed", message: "No." })]);
      await world.navigator.say("Count the lines", undefined, [], { expert });
      assert.ok(begun(world).includes(who));
      assert.deepEqual(said(world), ["Count the lines"]);
    });
  }

  it("is told with the mode, so that it can be repeated as it was", async () => {
    const world = new NavigatorStage([completes(), completes()]);
    await world.navigator.say("Count the lines", undefined, [], { expert: "rooroo-analyzer" });
    const state = newConversation();
    for (const event of world.events) applyEvent(state, event);
    const [item] = state.items;
    const action = item?.kind === "user" ? repeatedAction(item) : undefined;
    assert.deepEqual(action, {
      action: "request",
      text: "Count the lines",
      expert: "rooroo-analyzer",
    });
    await world.navigator.act(action);
    assert.deepEqual(said(world), ["Count the lines", "Count the lines"]);
    assert.equal(world.started.length, 2);
    assert.ok(JSON.stringify(world.model.requests[1]).includes("You are rooroo-analyzer"));
  });

  it("leaves commands what they are, and names the experts if there is none of this name", async () => {
    const world = new NavigatorStage([completes()]);
    await world.navigator.say("/do Count", undefined, [], { expert: "rooroo-analyzer" });
    assert.ok(begun(world).includes("You are rooroo-developer"));
    await world.navigator.say("Count", undefined, [], { expert: "nobody" });
    assert.match(world.notices.at(-1) ?? "", /no expert nobody/);
  });
});

describe("a command of the workspace's own", () => {
  const files = {
    ".rooroo/commands/release.md":
      '---\ndescription: "Make a release"\nargument-hint: version\n---\nRelease $ARGUMENTS now.\n',
    ".roo/commands/release.md": "Hidden by the other one",
    ".roo/commands/tidy.md": "# Tidy up\n\nRemove what nobody uses.",
    ".roo/commands/not a name.md": "x",
    ".roo/commands/empty.md": "---\ndescription: x\n---\n",
    ".clinerules/workflows/ship.md": "# Ship it",
    ".kilocode/workflows/ship.md": "Hidden by the other one",
    ".kilocode/workflows/wrap.md": "Wrap it up",
  };

  it("is listed with its description and hint", async () => {
    const { navigator } = new NavigatorStage([], { files });
    const own = await navigator.commands.own();
    assert.deepEqual(
      own.map(({ name, description, hint }) => [name, description, hint]),
      [
        ["release", "Make a release", "version"],
        ["ship", "Ship it", ""],
        ["tidy", "Tidy up", ""],
        ["wrap", "Wrap it up", ""],
      ],
    );
  });

  it("becomes a request, shown as it is sent", async () => {
    const world = new NavigatorStage([completes(), completes()], { files });
    await world.navigator.say("/release 1.2 $&", undefined, [], { expert: "rooroo-developer" });
    await world.navigator.say("/TIDY the tests", undefined, [], { expert: "rooroo-developer" });
    assert.deepEqual(said(world), [
      "Release 1.2 $& now.",
      "# Tidy up\n\nRemove what nobody uses.\n\nthe tests",
    ]);
    assert.ok(begun(world).includes("Release 1.2 $& now."));
  });

  it("is also a skill, unless a command of its name is there: an expert is told to read it", async () => {
    const more = {
      ...files,
      ".claude/skills/review/SKILL.md":
        "---\nname: review\ndescription: Reviews a change\ndisable-model-invocation: true\n---\nFetch https://example.com $ARGUMENTS\n",
      ".claude/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Hidden\n---\n",
      ".claude/skills/3d/SKILL.md": "---\nname: 3d\ndescription: No word to type\n---\n",
      ".claude/skills/bad/SKILL.md": "no skill",
    };
    const world = new NavigatorStage([completes(), completes()], { files: more });
    const own = await world.navigator.commands.own();
    assert.deepEqual(
      own.map(({ name, description }) => [name, description]),
      [
        ["release", "Make a release"],
        ["review", "Reviews a change"],
        ["ship", "Ship it"],
        ["tidy", "Tidy up"],
        ["wrap", "Wrap it up"],
      ],
    );
    const says = (text: string) =>
      world.navigator.say(text, undefined, [], { expert: "rooroo-developer" });
    await says("/review the last commit, $&");
    await says("/review");
    const use = "Use the skill review: read .claude/skills/review/SKILL.md and follow it.";
    assert.deepEqual(said(world), [`${use}\n\nthe last commit, $&`, use]);
    assert.ok(begun(world).includes("the last commit"));
    assert.ok(!begun(world).includes("example.com"));
  });

  it("is none where no file is: nothing is asked of a model", async () => {
    const world = new NavigatorStage([], { files });
    const { status } = await world.navigator.say("/relaese 1.2");
    assert.equal(status, "failed");
    assert.match(world.notices.at(-1) ?? "", /There is no command \/relaese/);
    const german = translator("de", { "There is no command {0}.": "Es gibt keinen Befehl {0}." });
    const told = world.events.map((event) => JSON.stringify(inLanguage(event, german))).join("\n");
    assert.match(told, /Es gibt keinen Befehl \/relaese/);
  });
});
