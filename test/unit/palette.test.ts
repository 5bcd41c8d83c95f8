import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hostCommands } from "../../src/core/conversation/events/hostCommands.js";

interface MenuEntry {
  readonly command?: string;
  readonly when?: string;
  readonly group?: string;
}
const { contributes } = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../../package.json", import.meta.url)), "utf8"),
) as {
  contributes: {
    commands: readonly { command: string; title: string; category?: string }[];
    menus: Readonly<Record<string, readonly MenuEntry[]>>;
    keybindings: readonly { command: string }[];
  };
};
const { commandPalette = [], ...menus } = contributes.menus;
const hidden = new Set(
  commandPalette.filter(({ when }) => when === "false").map(({ command }) => command),
);
const offered = new Set(
  contributes.commands.map(({ command }) => command).filter((command) => !hidden.has(command)),
);

describe("the command palette", () => {
  it("offers everything that a button of a view, a row or an editor does", () => {
    for (const [menu, entries] of Object.entries(menus)) {
      for (const { command } of entries) {
        if (command?.startsWith("rooroo.") !== true) continue;
        assert.ok(offered.has(command), `${command} of ${menu}`);
      }
    }
  });

  it("offers what the panel's buttons and our keys run", () => {
    const named = hostCommands.map((command) => `rooroo.${command}`);
    for (const command of [...named, ...contributes.keybindings.map((one) => one.command)]) {
      assert.ok(offered.has(command), command);
    }
  });

  it("has all of it under one category", () => {
    for (const { command, category } of contributes.commands) {
      assert.equal(category, "Rooroo", command);
    }
  });
});
