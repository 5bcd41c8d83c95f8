import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { controlFileContent } from "../../../../src/core/access/controlFileContent.js";
import type { ProposedAction } from "../../../../src/core/agent/tool.js";
import { decide } from "../../../../src/core/approvals/policy.js";
import { translator } from "../../../../src/core/text/translator.js";
import { spoken } from "../../../../src/core/text/words.js";
import { intents } from "./intents.js";

const german = translator(
  "de",
  JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")) as Record<string, string>,
);

const { write } = intents;

function reasonIn(action: ProposedAction): string {
  return spoken(decide(action, { preset: "all" }, false).why, german);
}

function line(writes: readonly string[]): ProposedAction {
  const facts = { commands: [], writes };
  const preview = { kind: "command", text: "x" } as const;
  return { access: "command", title: "x", command: "x", path: "", inside: true, facts, preview };
}

describe("the reasons for asking", () => {
  it("are said in the person's language", () => {
    assert.equal(
      reasonIn(write(".npmrc")),
      "Paketmanager führen aus, was in diesen Dateien steht, oder laden von dort, wo sie hinweisen. Daher wird immer gefragt.",
    );
  });

  it("name paths exactly, also one that reads like a placeholder or a message", () => {
    for (const path of ["/etc/{path}/{why}", "/Commands", "/a {0, plural, other {#}}"]) {
      assert.equal(reasonIn(line([path])), `Es schreibt ${path}, außerhalb des Arbeitsbereichs.`);
    }
  });

  it("say what a change would do, in the person's language, too", () => {
    const protection = controlFileContent("package.json", "{}", '{"scripts":{"{x}":"y"}}');
    assert.ok(protection);
    const controlled = { ...write("package.json"), access: "write", protection } as ProposedAction;
    assert.equal(
      reasonIn(controlled),
      "Es ändert “scripts” in package.json: was ausgeführt wird und womit. Daher wird immer gefragt.",
    );
  });
});
