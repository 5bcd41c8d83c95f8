import assert from "node:assert/strict";
import { messageOf } from "../../../src/core/errors.js";
import type { FromPanel, ToPanel } from "../../../src/protocol/messages.js";
import { RpcClient } from "../../../src/protocol/rpcClient.js";
import { RpcHost, type PanelHandlers } from "../../../src/protocol/rpcHost.js";

const nothing = () => undefined;
const handlers: PanelHandlers = {
  newConversation: nothing,
  showConversation: nothing,
  keepDraft: nothing,
  restore: nothing,
  send: () => true,
  tell: nothing,
  changeMessage: nothing,
  removeMessage: nothing,
  requestMessage: nothing,
  act: nothing,
  answer: nothing,
  answerWork: nothing,
  approve: nothing,
  editProposal: nothing,
  openDecider: nothing,
  stopCommand: () => undefined,
  stopWork: () => undefined,
  stop: nothing,
  editPlan: nothing,
  experts: () => [],
  openFile: nothing,
  openLink: nothing,
  reviewChanges: nothing,
  undoChanges: nothing,
  hostCommand: nothing,
  openFolder: nothing,
  earlier: () => ({ items: [], earlier: 0, hasMore: false }),
  texts: () => ({}),
  sandboxOffer: () => null,
  sandboxAbility: () => ({ name: "bubblewrap" }),
  setApprovals: nothing,
  prompts: () => [],
  completions: () => ({
    commands: [],
    experts: [],
    jobs: [],
    asking: [],
    resumable: [],
    foreign: [],
  }),
  copy: nothing,
  insert: () => "",
  panelFocus: nothing,
  attachImage: () => ({ attachment: { kind: "gitChanges" } }),
  attachUris: () => ({ attachments: [] }),
  pickAttachments: () => ({ attachments: [] }),
  mentions: () => [],
  terminalText: () => ({ kind: "terminal", text: "" }),
  picture: () => null,
  openAttachment: nothing,
};

function connect(overrides: Partial<PanelHandlers>) {
  const posted: ToPanel[] = [];
  let ready = 0;
  const host = new RpcHost(
    () => Promise.resolve({ ...handlers, ...overrides }),
    (message) => {
      posted.push(message);
      if (message.type === "response") client.settle(message);
    },
    messageOf,
    () => ready++,
  );
  const sent: FromPanel[] = [];
  const client = new RpcClient((message) => {
    sent.push(message);
    void host.receive(structuredClone(message));
  });
  return { host, client, posted, sent, readyCount: () => ready };
}

describe("RpcClient and RpcHost", () => {
  it("carry a request there and its result back", async () => {
    const texts: string[] = [];
    const { client } = connect({
      send: ({ text }) => {
        texts.push(text);
        return true;
      },
    });
    await client.request("send", { text: "hello" });
    assert.deepEqual(await client.request("earlier", { before: "x" }), {
      items: [],
      earlier: 0,
      hasMore: false,
    });
    assert.deepEqual(texts, ["hello"]);
  });

  it("answer with an error when a handler throws or rejects, or the parameters do not fit", async () => {
    const { client, posted } = connect({
      stop: () => {
        throw new Error("Nothing runs.");
      },
      copy: () => Promise.reject(new Error("No clipboard.")),
    });
    await assert.rejects(client.request("stop", {}), /Nothing runs\./);
    await assert.rejects(client.request("copy", { text: "" }), /No clipboard\./);
    await assert.rejects(
      client.request("openFile", { path: "a", line: -1 }),
      /sent an invalid request/,
    );
    assert.equal(posted.length, 3);
  });

  it("answer each numbered message, even one that makes no sense, and nothing else", async () => {
    const { host, posted, readyCount } = connect({});
    await host.receive({ type: "request", id: 7, method: "format", params: {} });
    assert.deepEqual(
      posted.map((message) => message.type === "response" && [message.id, typeof message.error]),
      [[7, "string"]],
    );
    for (const junk of [undefined, null, 3, "x", [], {}, { type: "request" }, { id: "7" }]) {
      await host.receive(junk);
    }
    assert.equal(posted.length, 1);
    await host.receive({ type: "ready" });
    assert.equal(readyCount(), 1);
  });

  it("reject what is pending, and what comes after, once disposed", async () => {
    const client = new RpcClient(() => undefined);
    const pending = client.request("stop", {});
    client.dispose();
    await assert.rejects(pending, /closed/);
    await assert.rejects(client.request("stop", {}), /closed/);
  });

  it("pass over answers to what was not asked", () => {
    const client = new RpcClient(() => undefined);
    client.settle({ type: "response", id: 99, error: "?" });
  });
});
