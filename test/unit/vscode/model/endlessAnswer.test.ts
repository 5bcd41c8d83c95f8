import { strict as assert } from "node:assert";
import { ModelError } from "../../../../src/core/errors.js";
import { EditorModel } from "../../../../src/vscode/model/editorModel.js";
import { LanguageModelTextPart, LanguageModelToolCallPart } from "../../../fakes/vscode/models.js";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("a model of VS Code's that does not end its answer", () => {
  let stage: ExtensionStage;
  useExtensionStage({ folder: "empty" }, (opened) => {
    stage = opened;
  });

  const piece = "x".repeat(10_000);
  for (const [kind, part] of [
    ["text", new LanguageModelTextPart(piece)],
    ["calls", new LanguageModelToolCallPart("c", "write", { piece })],
  ] as const) {
    it(`is given up, and told to stop: ${kind}`, async () => {
      let parts = 0;
      let isCancelled = (): boolean => false;
      stage.editor.models.offer({
        vendor: "v",
        id: "m",
        name: "M",
        capabilities: { toolCalling: true },
        answer: (_messages, _options, token) => {
          isCancelled = () => token.isCancellationRequested;
          return (function* () {
            for (; ; parts++) yield part;
          })();
        },
      });
      const messages = [{ role: "user" as const, content: "Hello" }];
      const events = new EditorModel("").respond(
        { messages, tools: [] },
        new AbortController().signal,
      );
      const read = async () => {
        while ((await events.next()).done !== true);
      };
      await assert.rejects(read(), (error) => {
        assert.ok(error instanceof ModelError);
        assert.match(error.message, /^The answer of M did not end: /);
        return true;
      });
      assert.ok(parts <= 401, String(parts));
      assert.ok(isCancelled());
    });
  }
});
