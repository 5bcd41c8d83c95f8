import assert from "node:assert/strict";
import { simplified } from "../../../../src/node/model/plainSchema.js";

describe("A tool's schema in its simplest form", () => {
  const simple = (properties: object, more: object = {}) =>
    simplified({ type: "object", properties, ...more })["properties"];

  it("has what references lead to in their places, and ends where a schema holds itself", () => {
    const $defs = { "a/b": { type: "string" }, named: { $anchor: "here", type: "integer" } };
    assert.deepEqual(
      simple(
        {
          escaped: { $ref: "#/$defs/a~1b", description: "A text." },
          anchor: { $ref: "#here" },
          lost: { $ref: "#/$defs/none" },
          far: { $ref: "https://example.test/schema" },
        },
        { $defs },
      ),
      {
        escaped: { type: "string", description: "A text." },
        anchor: { type: "integer" },
        lost: {},
        far: {},
      },
    );
    assert.deepEqual(simple({ child: { $ref: "#" } }), {
      child: { type: "object", properties: { child: {} } },
    });
  });

  it("is of a bounded size, however many parts refer to one another", () => {
    const names = Array.from({ length: 30 }, (_, index) => `part${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "object", properties }]));
    const text = JSON.stringify(simple(properties, { $defs }));
    assert.ok(text.length < 100_000, `${text.length} characters`);
  });

  it("has no words that servers refuse", () => {
    assert.deepEqual(
      simple({
        any: true,
        one: { const: "a" },
        count: { type: "integer", exclusiveMinimum: 0, minimum: 0 },
        word: { type: "string", pattern: "a|b", maxLength: 5_000, minLength: 1, format: "uri" },
        map: { type: "object", propertyNames: { pattern: "^a" }, additionalProperties: false },
        list: { type: "array", items: { oneOf: [{ type: "string" }, true] }, maxItems: 3 },
        pair: { type: "array", prefixItems: [{ type: "string" }] },
      }),
      {
        any: {},
        one: { enum: ["a"], type: "string" },
        count: { type: "integer", minimum: 0 },
        word: { type: "string", minLength: 1 },
        map: { type: "object" },
        list: { type: "array", maxItems: 3, items: {} },
        pair: { type: "array", items: {} },
      },
    );
  });

  it("follows references in every form that a pointer or a name may have", () => {
    const $defs = {
      "a~b": { type: "string" },
      ü: { type: "number" },
      old: { $id: "#old", type: "null" },
    };
    assert.deepEqual(
      simple(
        {
          tilde: { $ref: "#/$defs/a~0b" },
          encoded: { $ref: "#/$defs/%C3%BC" },
          broken: { $ref: "#/$defs/%" },
          id: { $ref: "#old" },
        },
        { $defs },
      ),
      { tilde: { type: "string" }, encoded: { type: "number" }, broken: {}, id: { type: "null" } },
    );
  });

  it("requires nothing that it does not describe, and keeps the types that are given", () => {
    assert.deepEqual(
      simple({
        free: { type: "object", required: ["gone"] },
        tuple: { type: "array", items: [{ type: "string" }] },
        typed: { type: "integer", enum: [1, 2] },
        twice: {
          properties: { a: { type: "string" } },
          required: ["a"],
          allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }],
        },
      }),
      {
        free: { type: "object" },
        tuple: { type: "array", items: {} },
        typed: { type: "integer", description: "One of: 1, 2." },
        twice: { properties: { a: { type: "string" } }, required: ["a"] },
      },
    );
  });

  it("has one type each, values that are texts, and nothing beside a choice, as Gemini and Vertex want", () => {
    const choice = [{ type: "string" }, { type: "number" }, { type: "null" }];
    assert.deepEqual(
      simple({
        maybe: { type: ["string", "null"], description: "A" },
        several: { type: ["string", "number"] },
        odd: { type: "strng", enum: null },
        mixed: { enum: [1, "a", null], description: "B" },
        empty: { type: "string", enum: ["", "a"] },
        nullable: { anyOf: [{ type: "string" }, { type: "null" }], description: "C" },
        chosen: { anyOf: choice, description: "D", default: 1 },
        none: { oneOf: [] },
      }),
      {
        maybe: { type: "string", description: "A" },
        several: {},
        odd: {},
        mixed: { description: 'B One of: 1, "a", null.' },
        empty: { type: "string", description: 'One of: "", "a".' },
        nullable: { type: "string", description: "C" },
        chosen: {
          anyOf: [
            { type: "string", description: "D" },
            { type: "number", description: "D" },
          ],
        },
        none: {},
      },
    );
  });

  it("has no choice at its top, where OpenAI and Anthropic take none: all properties may be there", () => {
    const anyOf = [
      { properties: { a: { type: "string" } }, required: ["a"] },
      { properties: { b: { type: "number" } }, required: ["b"] },
    ];
    assert.deepEqual(
      simplified({ type: "object", properties: { c: { type: "string" } }, required: ["c"], anyOf }),
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "number" }, c: { type: "string" } },
        required: ["c"],
      },
    );
    assert.deepEqual(simplified({ anyOf }), {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
    });
  });

  it("joins what has to hold at once, and keeps properties that are named like keywords", () => {
    const allOf = [{ properties: { pattern: { type: "string" } }, required: ["pattern"] }];
    assert.deepEqual(
      simplified({ properties: { $ref: { type: "string" } }, required: ["$ref", "none"], allOf }),
      {
        type: "object",
        properties: { $ref: { type: "string" }, pattern: { type: "string" } },
        required: ["$ref", "pattern"],
      },
    );
  });
});
