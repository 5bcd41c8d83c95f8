import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import type { Cli } from "../../../src/cli/commands/command.js";
import { pipedInput } from "../../../src/cli/commands/pipedInput.js";

describe("what is piped into a request", () => {
  it("is waited for, and a person is told so where that takes long", async () => {
    const input = new PassThrough();
    let piped: ReturnType<typeof pipedInput> | undefined;
    const told = await new Promise<string>((resolve) => {
      const terminal = { printError: resolve } as unknown as Cli["terminal"];
      piped = pipedInput({ input, terminal }, 0);
    });
    assert.match(told, /^Waiting for the end of standard input\./);
    input.end("boom\n");
    assert.deepEqual(await piped, { kind: "input", text: "boom" });
  });
});
