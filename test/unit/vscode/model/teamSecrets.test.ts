import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { Redactor } from "../../../../src/core/text/redactor.js";
import { TeamSecrets } from "../../../../src/vscode/model/teamSecrets.js";

describe("the secrets of a team", () => {
  it("say that they have changed, and nothing when another secret has", () => {
    const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
    const storage = { onDidChange: changed.event } as vscode.SecretStorage;
    let times = 0;
    new TeamSecrets(storage, {}, new Redactor()).onDidChange(() => times++);
    changed.fire({ key: "rooroo.apiKey:https://a.test" });
    assert.equal(times, 0);
    changed.fire({ key: "rooroo.team" });
    assert.equal(times, 1);
  });
});
