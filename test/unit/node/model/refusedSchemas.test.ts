import assert from "node:assert/strict";
import type { ToolDefinition } from "../../../../src/core/ports/messages.js";
import { RefusedSchemas } from "../../../../src/node/model/refusedSchemas.js";

describe("the tools whose schemas a server refuses in every form", () => {
  const parameters = { type: "object", properties: {} };
  const tools = (count: number): ToolDefinition[] =>
    Array.from({ length: count }, (_, at) => ({ name: `tool${at}`, description: "", parameters }));

  async function learned(all: readonly ToolDefinition[], isOdd: (name: string) => boolean) {
    const schemas = new RefusedSchemas();
    const request = { messages: [], tools: all };
    let probes = 0;
    const isTaken = (some: readonly ToolDefinition[]) => {
      probes++;
      return Promise.resolve(!some.some(({ name }) => isOdd(name)));
    };
    assert.deepEqual(await schemas.learn(request, isTaken), [], "simpler ones come first");
    assert.equal(probes, 0);
    const leftOut = await schemas.learn(request, isTaken);
    return { leftOut, probes, offered: schemas.fitted(request).tools.length };
  }

  it("are all found, each by few requests", async () => {
    const odd = ["tool3", "tool4", "tool77", "tool99"];
    const { leftOut, probes, offered } = await learned(tools(100), (name) => odd.includes(name));
    assert.deepEqual(leftOut, odd);
    assert.equal(offered, 96);
    assert.ok(probes < 40, `${probes} requests`);
  });

  it("are not looked for without end: with very many, nothing is left out", async () => {
    const { leftOut, probes, offered } = await learned(tools(1_000), (name) =>
      name.startsWith("tool"),
    );
    assert.equal(leftOut, undefined);
    assert.equal(offered, 1_000);
    assert.ok(probes < 1_020, `${probes} requests`);
  });
});
