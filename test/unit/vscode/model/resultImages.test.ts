import { strict as assert } from "node:assert";
import { EditorModel } from "../../../../src/vscode/model/editorModel.js";
import { EditorTools } from "../../../../src/vscode/workspace/editorTools.js";
import { png } from "../../../fakes/smallImages.js";
import {
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolResult,
  LanguageModelToolResultPart,
} from "../../../fakes/vscode/models.js";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

const never = new AbortController().signal;

describe("images in results, of VS Code's tools and for its models", () => {
  let stage: ExtensionStage;
  useExtensionStage({ folder: "empty" }, (opened) => {
    stage = opened;
  });

  it("are taken from a tool's parts, apart from its text", async () => {
    const parts = [
      new LanguageModelTextPart("Seen."),
      new LanguageModelDataPart(png, "image/png"),
      new LanguageModelDataPart(new Uint8Array([1]), "application/json"),
    ];
    const invoke = () => Promise.resolve(new LanguageModelToolResult(parts));
    const camera = { name: "camera", description: "", inputSchema: undefined, tags: [], invoke };
    stage.editor.models.others.push(camera);
    const answer = await new EditorTools(() => ["camera"]).call("camera", {}, never);
    assert.deepEqual(answer, { text: "Seen.\n(Something that is not text.)", images: [png] });
  });

  it("are parts of the result for a model that sees, and a word for one that does not", async () => {
    for (const imageInput of [true, false]) {
      const heard: unknown[] = [];
      const offered = { vendor: "v", id: `m${imageInput}`, name: "M", family: "f", version: "1" };
      stage.editor.models.offer({
        ...offered,
        capabilities: { imageInput, toolCalling: true },
        answer: (messages) => {
          heard.push(...messages);
          return [new LanguageModelTextPart("ok")];
        },
      });
      const content = { mime: "image/png", base64: Buffer.from(png).toString("base64") };
      const messages = [
        {
          role: "tool" as const,
          callId: "c",
          content: "A",
          images: [{ path: "p", name: "shot 1", content }],
        },
      ];
      const events = new EditorModel("").respond({ messages, tools: [] }, never);
      while ((await events.next()).done !== true);
      const [{ content: parts } = assert.fail()] = heard as { content: unknown[] }[];
      const [result] = parts;
      assert.ok(result instanceof LanguageModelToolResultPart);
      const [text, image] = result.content;
      assert.ok(text instanceof LanguageModelTextPart);
      if (imageInput) {
        assert.equal(text.value, "A");
        assert.deepEqual(image, new LanguageModelDataPart(png, "image/png"));
      } else {
        assert.match(text.value, /^A\n\n\(The image "shot 1" is part of this result, which this/);
        assert.equal(image, undefined);
      }
    }
  });
});
