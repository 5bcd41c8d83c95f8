import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { withoutProfiles } from "../../../../src/core/models/askedModel.js";
import { Redactor } from "../../../../src/core/text/redactor.js";
import { ModelKeys } from "../../../../src/vscode/model/modelKeys.js";
import { modelState } from "../../../../src/vscode/model/modelState.js";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("keys of model servers", () => {
  const a = { baseUrl: "https://a.test/v1" };
  const b = { baseUrl: "https://b.test/v1" };
  const variable = { OPENAI_API_KEY: "key-of-environment-17" };

  it("are kept by origin, and reach no other server", async () => {
    const secrets = new MemorySecrets({ "rooroo.apiKey:https://a.test": "key-of-a-17" });
    const redactor = new Redactor();
    const keys = new ModelKeys(secrets, variable, redactor);
    assert.equal(await keys.read({ baseUrl: "https://A.test:443/other" }), "key-of-a-17");
    for (const other of [
      b,
      { baseUrl: "http://a.test/v1" },
      { baseUrl: "https://a.test:8443/v1" },
    ]) {
      assert.equal(await keys.read(other), undefined, other.baseUrl);
    }
    assert.equal(await keys.read({ ...b, keyVariable: "OPENAI_API_KEY" }), "key-of-environment-17");
    assert.equal(await keys.read({ ...a, keyVariable: "OPENAI_API_KEY" }), "key-of-a-17");
    assert.doesNotMatch(redactor.text("key-of-a-17, key-of-environment-17"), /key-of/);
  });
});

describe("VS Code's own model", () => {
  let stage: ExtensionStage;
  useExtensionStage({ folder: "empty" }, (opened) => {
    stage = opened;
  });

  it("is used while nothing is set: no model, no address and no key", async () => {
    const offered = { vendor: "test", family: "scripted", version: "1" };
    stage.editor.models.offer({ ...offered, id: "one", name: "One" });
    const choice = withoutProfiles({ model: "" });
    const withoutTools = { has: () => false };
    const state = async (environment: NodeJS.ProcessEnv, base = choice) => {
      const secrets = new MemorySecrets({});
      const keys = new ModelKeys(secrets, environment, new Redactor());
      const { hasKey, editorsModel } = await modelState(base, keys, withoutTools);
      return [hasKey, editorsModel !== ""];
    };
    assert.deepEqual(await state({}), [false, true]);
    assert.deepEqual(await state({ OPENAI_API_KEY: "key-of-environment-17" }), [true, false]);
    const local = withoutProfiles({ model: "", baseUrl: "http://127.0.0.1:1/v1" });
    assert.deepEqual(await state({}, local), [false, false]);
  });
});

/** A store of secrets in memory. */
class MemorySecrets implements vscode.SecretStorage {
  readonly kept: Map<string, string>;
  private readonly changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.changed.event;

  constructor(kept: Readonly<Record<string, string>>) {
    this.kept = new Map(Object.entries(kept));
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.get(key));
  }

  async store(key: string, value: string): Promise<void> {
    await Promise.resolve(this.kept.set(key, value));
  }

  async delete(key: string): Promise<void> {
    await Promise.resolve(this.kept.delete(key));
  }
}
