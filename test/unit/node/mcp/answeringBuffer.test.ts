import assert from "node:assert/strict";
import { AnsweringBuffer } from "../../../../src/node/mcp/answeringBuffer.js";

describe("what an MCP server prints", () => {
  let buffer: AnsweringBuffer;
  beforeEach(() => {
    buffer = new AnsweringBuffer();
  });
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const read = (text: string) => {
    buffer.append(Buffer.from(text));
    return buffer.readMessage();
  };

  it("is read line by line, however it is cut", () => {
    const one = { jsonrpc: "2.0", id: 1, result: { word: "Grüße" } };
    const two = { jsonrpc: "2.0", method: "notifications/progress" };
    const bytes = Buffer.from(line(one).replace("\n", "\r\n") + line(two));
    const found: unknown[] = [];
    for (const byte of bytes) {
      buffer.append(Buffer.from([byte]));
      const message = buffer.readMessage();
      if (message !== null) found.push(message);
    }
    assert.deepEqual(found, [one, two]);
  });

  it("is an error for the request that it answers, where it is no answer of the protocol", () => {
    assert.deepEqual(read(line({ jsonrpc: "2.0", id: "a", result: null })), {
      jsonrpc: "2.0",
      id: "a",
      result: {},
    });
    for (const odd of [
      { jsonrpc: "2.0", id: 2, result: "done" },
      { id: 2, result: {} },
      { jsonrpc: "2.0", id: 2, error: "no" },
    ]) {
      const answer = read(line(odd));
      assert.ok(answer !== null && "error" in answer, JSON.stringify(answer));
      assert.equal(answer.id, 2);
      assert.match(answer.error.message, /MCP does not allow: \{/);
    }
  });

  it("is read without the fields that are null, as some servers write those that may be absent", () => {
    const result = { content: [] };
    const error = { code: -32603, message: "It broke." };
    const method = "notifications/tools/list_changed";
    for (const [given, meant] of [
      [
        { id: 5, result, error: null },
        { id: 5, result },
      ],
      [
        { id: 5, result: null, error },
        { id: 5, error },
      ],
      [
        { id: 5, result: null, error: null },
        { id: 5, result: {} },
      ],
      [
        { id: 5, result: { ...result, _meta: null } },
        { id: 5, result },
      ],
      [
        { id: 5, method: "ping", params: null },
        { id: 5, method: "ping" },
      ],
      [{ id: null, method, params: null }, { method }],
    ]) {
      assert.deepEqual(read(line({ jsonrpc: "2.0", ...given })), { jsonrpc: "2.0", ...meant });
    }
  });

  it("is read one by one where it comes as a batch", () => {
    const one = { jsonrpc: "2.0", id: 6, result: {} };
    const two = { jsonrpc: "2.0", method: "notifications/progress" };
    const next = { jsonrpc: "2.0", id: 7, result: {} };
    assert.deepEqual(read(line([one, two]) + line(next)), one);
    assert.deepEqual([buffer.readMessage(), buffer.readMessage()], [two, next]);
    assert.equal(buffer.readMessage(), null);
  });

  it("is dropped with an error where it answers nothing, and what follows is read", () => {
    for (const odd of ["Listening on 8080\n", line({ level: 30, id: 4 }), line([]), line([1])]) {
      assert.throws(() => read(odd), odd);
    }
    const next = { jsonrpc: "2.0", id: 3, result: {} };
    assert.deepEqual(read(line(next)), next);
  });

  it("ends with an error where a message has no end", () => {
    const piece = Buffer.alloc(1_000_000, "a");
    assert.throws(() => {
      for (let count = 0; count < 12; count++) buffer.append(piece);
    }, /more than 10485760 bytes/);
  });
});
