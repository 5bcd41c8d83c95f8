import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ToPanel } from "../../../../src/protocol/messages.js";
import {
  PanelConnection,
  type PanelConnectionOptions,
} from "../../../../src/vscode/panel/panelConnection.js";
import { Conversation } from "../../../../src/vscode/workspace/conversation.js";
import { calmStatus } from "../../../fakes/calmStatus.js";

describe("the connection to a page", () => {
  it("tells nothing more of a conversation once the page shows another", () => {
    const [one, other] = [new Conversation("1"), new Conversation("2")];
    const posted: ToPanel[] = [];
    const received = new vscode.EventEmitter<unknown>();
    const webview = {
      postMessage: (message: ToPanel) => Promise.resolve(posted.push(message)),
      onDidReceiveMessage: received.event,
      cspSource: "https://page.test",
      asWebviewUri: (uri: vscode.Uri) => uri,
    } as unknown as vscode.Webview;
    const connection = new PanelConnection(webview, one, {
      extensionUri: vscode.Uri.file("/extension"),
      status: { around: () => calmStatus, onDidChange: new vscode.EventEmitter().event },
      drafts: { of: () => ({ text: "", attachments: [] }) },
      nonce: "n",
      surface: "sideBar",
    } as unknown as PanelConnectionOptions);
    const shown = () =>
      posted.map((one) => (one.type === "snapshot" ? one.snapshot.conversation : one.type));
    received.fire({ type: "ready" });
    connection.switchTo(other);
    const whole = { events: [], truncated: false, foreign: 0 };
    one.replace(whole);
    assert.deepEqual(shown(), ["1", "2"]);
    other.replace(whole);
    assert.deepEqual(shown(), ["1", "2", "2"]);
    connection.dispose();
  });
});
