import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { inLanguage } from "../../../../src/core/conversation/events/eventWords.js";
import { ModelError, UserError } from "../../../../src/core/errors.js";
import { allSpoken } from "../../../../src/core/text/allSpoken.js";
import { redactionMark, Redactor } from "../../../../src/core/text/redactor.js";
import { translator } from "../../../../src/core/text/translator.js";
import { spoken } from "../../../../src/core/text/words.js";
import { asks, calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const key = "sk-live-0123456789";

function stage(
  scripts: readonly ModelScript[],
  more: ConstructorParameters<typeof NavigatorStage>[1] = {},
): NavigatorStage {
  const redactor = new Redactor();
  redactor.learn(key);
  return new NavigatorStage(scripts, { ...more, redactor });
}

/**
 * Returns everything that was shown, kept below `.rooroo`, or sent to the model, but for what has to be the
 * person's own file to the byte: what undoing needs, and what they may write anew.
 */
function everything({ events, files, model, approvals }: NavigatorStage): string {
  const kept = files.paths.filter((path) => /^\.rooroo\/(?!.*\/changes\/\d+$)/.test(path));
  const shown = approvals.map(({ action, why, options: offers }) => [action, why, offers]);
  return [
    JSON.stringify([events, model.requests, shown]),
    ...kept.map((path) => files.text(path)),
  ].join("\n");
}

/** Checks that no key is anywhere, and that its mark is where it was. */
function checkClean(world: NavigatorStage): void {
  const all = everything(world);
  assert.ok(!all.includes(key), all.slice(Math.max(0, all.indexOf(key) - 300)));
  assert.ok(all.includes(redactionMark));
}

describe("the key in use", () => {
  it("is in no result of a tool that reads it, nor in a diff", async () => {
    const edit = { path: "notes.txt", old_text: "one", new_text: "two" };
    const world = stage(
      [calls("read_file", { path: "notes.txt" }), calls("edit_file", edit), completes()],
      { files: { "notes.txt": `one\nkey=${key}\n` } },
    );
    world.preset = "ask";
    world.approve = () => ({ type: "allowed", scope: "once" });
    await world.navigator.say("/do It");
    assert.deepEqual(world.ends, ["Done: All good"]);
    assert.ok(world.approvals.length > 0);
    checkClean(world);
  });

  it("is in nothing that a command prints, in two pieces too", async () => {
    const world = stage([calls("execute_command", { command: "env" }), completes()], {
      commands: {
        env: (request) => {
          const filter = request.filter?.();
          let output = "";
          for (const piece of ["KEY=sk-live", "-0123456789", "\nPATH=/bin\n"]) {
            const text = filter?.add(piece) ?? piece;
            output += text;
            request.onOutput(text);
          }
          output += filter?.finish() ?? "";
          return Promise.resolve({
            exitCode: 0,
            signal: null,
            endedBy: "itself",
            omitted: 0,
            durationMs: 1,
            output,
          });
        },
      },
    });
    await world.navigator.say("/do It");
    const live = world.events.flatMap((event) =>
      event.type === "agent" && event.event.type === "toolOutput" ? [event.event.text] : [],
    );
    assert.equal(live.join(""), `KEY=${redactionMark}\nPATH=/bin\n`);
    checkClean(world);
  });

  it("is in no words of the model's, streamed in pieces, nor in its calls and reports", async () => {
    const world = stage([
      {
        text: ["My key is sk-l", `ive-0123456789.`],
        toolCalls: asks(`Is it ${key}?`, [key]).toolCalls!,
      },
      { toolCalls: completes({ message: `It was ${key}.` }).toolCalls!, text: key },
    ]);
    await world.navigator.say("/do It");
    await world.navigator.answer(world.started[0]!, `Yes, ${key}.`);
    const streamed = world.events.flatMap((event) =>
      event.type === "agent" && event.event.type === "textDelta" ? [event.event.text] : [],
    );
    assert.ok(streamed.join("").includes(`My key is ${redactionMark}.`));
    assert.ok(!streamed.join("").includes(key));
    assert.deepEqual(world.ends.slice(1), [`Done: It was ${redactionMark}.`]);
    checkClean(world);
  });

  it("is in no title and no reason that a person reads, in whichever language", async () => {
    const world = stage([
      calls("execute_command", { command: "touch out" }),
      calls("write_to_file", { path: "notes.txt", content: "x" }),
      completes(),
    ]);
    // The names of other files have it, so that code finds it, and not the model.
    world.files.link("out", `/x/${key}`);
    world.files.link("notes.txt", `.vscode/${key}`);
    world.approve = () => ({ type: "allowed", scope: "once" });
    await world.navigator.say("/do It");
    const [run, write] = world.approvals;
    assert.ok(run && write);
    for (const language of ["de", "es", "ja", "zh-cn"]) {
      const messages = readFileSync(`l10n/bundle.l10n.${language}.json`, "utf8");
      const t = translator(language, JSON.parse(messages) as Record<string, string>);
      const told = world.events.map((event) => ({ ...inLanguage(event, t), said: undefined }));
      const shown = JSON.stringify([allSpoken([run, write], t), told]);
      assert.ok(!shown.includes(key), shown);
      assert.ok(spoken(run.why, t).includes(`/x/${redactionMark}`));
      assert.notEqual(spoken(run.why, t), spoken(run.why));
      assert.ok(shown.includes(JSON.stringify(spoken(write.action.title, t))));
    }
  });

  it("is in no error of the server", async () => {
    const world = stage([{ error: new ModelError("badRequest", `Refused: bearer ${key}`, {}) }]);
    await world.navigator.say("/do It");
    checkClean(world);
  });

  it("is in no report of a task that failed with a tool's own words", async () => {
    const probe = { name: "probe", description: "Probe.", parameters: { type: "object" } };
    const world = stage(
      Array.from({ length: 6 }, (_, turn) => calls("probe", { turn })),
      {
        hostTools: {
          offered: () => [probe],
          call: () => Promise.reject(new UserError("noAccess", "No access with {key}", { key })),
        },
      },
    );
    world.approve = () => ({ type: "allowed", scope: "once" });
    await world.navigator.say("/do It");
    assert.match(world.ends[0] ?? "", /^Failed: .*No access with \[an API key/s);
    checkClean(world);
  });

  it("is in nothing that is kept of what a person says", async () => {
    const world = stage([completes(), completes()]);
    await world.navigator.say(`/do Use ${key}`);
    await world.navigator.enqueue({ goal: `Use ${key}`, expert: "rooroo-developer" });
    await world.navigator.proceed();
    checkClean(world);
  });

  it("is in no rules and no context that an expert gets", async () => {
    const world = stage([completes()], {
      files: { "AGENTS.md": `Use ${key}.` },
    });
    await world.navigator.say("/do It");
    checkClean(world);
  });

  it("is not written over by the mark that stands for it", async () => {
    const text = `key=${key}\nname=a\n`;
    const world = stage(
      [
        calls("read_file", { path: "app.ini" }),
        calls("write_to_file", { path: "app.ini", content: `key=${redactionMark}\nname=b\n` }),
        calls("edit_file", { path: "app.ini", old_text: "name=a", new_text: "name=b" }),
        completes(),
      ],
      { files: { "app.ini": text } },
    );
    await world.navigator.say("/do It");
    assert.equal(world.files.text("app.ini"), text.replace("name=a", "name=b"));
    assert.match(everything(world), /stands for a key that you are not shown/);
    const changes = world.files.paths.filter((path) => /changes\/\d+$/.test(path));
    assert.ok(changes.length > 0, "what undoing needs is kept to the byte");
  });
});
