import assert from "node:assert/strict";
import { misfit } from "../../../../src/node/mcp/listedTools.js";

describe("a value that an MCP tool's schema describes", () => {
  const pair = { type: "array", prefixItems: [{ type: "string" }], items: false };

  it("is read as JSON Schema 2020-12, said or not", () => {
    for (const $schema of [undefined, "https://json-schema.org/draft/2020-12/schema"]) {
      const schema = { ...($schema && { $schema }), type: "object", properties: { pair } };
      assert.equal(misfit({ pair: ["a"] }, schema), undefined);
      assert.match(misfit({ pair: ["a", "b"] }, schema) ?? "", /pair must NOT have more than 1/);
      assert.match(misfit({ pair: [1] }, schema) ?? "", /pair\/0 must be string/);
    }
  });

  it("is read as draft-07 where the schema says so", () => {
    const list = { items: [{ type: "string" }], additionalItems: false };
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { list },
    };
    assert.equal(misfit({ list: ["a"] }, schema), undefined);
    assert.match(misfit({ list: [1] }, schema) ?? "", /list\/0 must be string/);
  });

  it("is let pass by a schema that cannot be checked, or would be checked later", () => {
    assert.equal(misfit({}, { type: "object", properties: { a: { type: "text" } } }), undefined);
    assert.equal(misfit({}, { $async: true, type: "object", required: ["a"] }), undefined);
    assert.equal(misfit({ at: "never" }, { properties: { at: { format: "date" } } }), undefined);
  });

  it("is told with the name that is not known, and with the values that are", () => {
    const schema = { properties: { mode: { enum: ["list", "add"] } }, additionalProperties: false };
    assert.equal(
      misfit({ files: [] }, schema),
      'data must NOT have additional properties: "files"',
    );
    assert.equal(
      misfit({ mode: "show" }, schema),
      'data/mode must be equal to one of the allowed values: ["list","add"]',
    );
  });
});
