import { strict as assert } from "node:assert";
import { teamCommands } from "../../../../src/vscode/team/teamCommands.js";
import type { Editor } from "../../../fakes/vscode/editor.js";
import { useEditor } from "../../../panel/useEditor.js";

type Parts = Parameters<typeof teamCommands>[0];

describe("the database of a team", () => {
  let editor: Editor;
  useEditor({}, (opened) => {
    editor = opened;
  });

  it("that cannot be used is stored only if the person wants that", async () => {
    const address = { url: "postgresql://db.example.test/team", key: "k".repeat(32) };
    const stored: unknown[] = [];
    const store = (one: unknown) => Promise.resolve(void stored.push(one));
    const commands = teamCommands({
      keys: () => Promise.resolve({ team: { store } }),
      tryTeam: () => Promise.reject(new Error("Nobody answers.")),
    } as unknown as Parts);
    const { person } = editor;
    const set = async () => {
      person.types(address.url, address.key);
      await commands["rooroo.setTeamDatabase"](undefined);
      assert.match(person.said("warning").at(-1) ?? "", /Nobody answers\./);
    };
    await set();
    assert.deepEqual(stored, []);
    person.clicks("Store Anyway");
    await set();
    assert.deepEqual(stored, [address]);
  });
});
