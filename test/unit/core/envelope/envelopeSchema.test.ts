import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { checkEnvelope } from "../../../../src/core/envelope/readEnvelope.js";

/**
 * What the requirements say of an envelope's form alone (R-ENV-1, 2, 3, 6), as JSON Schema has it. A
 * browse command is the one thing that it adds: it may leave `shell` and `cwd` out (R-ENV-10).
 */
const text = { type: "string" };
const texts = { type: "array", items: text };
const closed = (properties: Record<string, unknown>, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const count = { type: "integer", minimum: 1 };
const place = { type: "integer", minimum: 0 };
const browses = { properties: { run: { pattern: "^\\s*browse\\s" } }, required: ["run"] };
const schema = {
  $defs: {
    step: closed(
      {
        step: text,
        title: text,
        status: { enum: ["pending", "running", "completed"] },
        substeps: { type: "array", items: { $ref: "#/$defs/step" } },
      },
      ["step", "title", "status"],
    ),
  },
  ...closed(
    {
      message: text,
      plan: { type: "array", maxItems: 3, items: { $ref: "#/$defs/step" } },
      command: {
        ...closed(
          {
            description: text,
            shell: text,
            run: text,
            cwd: text,
            filter_regex: text,
            timeout_sec: count,
            tail_lines: count,
            read: closed(
              { path: text, paths: texts, encoding: text, max_bytes: count, max_lines: count },
              ["path"],
            ),
            edit: closed(
              {
                path: text,
                encoding: text,
                edits: {
                  type: "array",
                  items: closed({ start: place, end: place, newText: text }, [
                    "start",
                    "end",
                    "newText",
                  ]),
                },
              },
              ["path", "edits"],
            ),
            replace: closed(
              { files: texts, regex: text, raw: text, replacement: text, flags: text },
              ["files", "replacement"],
            ),
            escape_string: closed({ text }, ["text"]),
            unescape_string: closed({ text, path: text }, ["text", "path"]),
          },
          [],
        ),
        oneOf: [
          { required: ["shell", "run", "cwd"], not: browses },
          browses,
          ...["read", "edit", "replace", "escape_string", "unescape_string"].map((kind) => ({
            required: [kind],
          })),
        ],
      },
    },
    ["message"],
  ),
};

const fits = new Ajv2020({ strict: false }).compile(schema);

/** Rules that speak of form; the others forbid what the schema lets through. */
const ofForm = /^R-ENV-([126]|3)\//;

/** Objects with some of these keys, and now and then a key or value that does not belong. */
function bent(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const sound = fc.record(fields, { requiredKeys: Object.keys(fields).filter((_, i) => i < 2) });
  const odd = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant([]), fc.boolean());
  return fc.oneof(
    { weight: 12, arbitrary: sound },
    { weight: 2, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sound, fc.constantFrom(...Object.keys(fields), "extra"), odd)
        .map(([value, key, other]) => ({ ...value, [key]: other })),
    },
    { weight: 1, arbitrary: odd },
  );
}

const word = fc.constantFrom("", ".", "a", "ls", "browse https://example.com", "browse x");
const number = fc.constantFrom(-1, 0, 1, 1.5, 60, 1e21);
const { step } = fc.letrec((tie) => ({
  step: bent({
    step: word,
    title: word,
    status: fc.constantFrom("pending", "running", "completed", "done"),
    substeps: fc.array(tie("step"), { maxLength: 2 }),
  }),
}));
const edits = fc.array(bent({ start: number, end: number, newText: word }), { maxLength: 2 });
const payloads = {
  read: bent({ path: word, paths: fc.array(word), encoding: word, max_bytes: number }),
  edit: bent({ path: word, edits, encoding: word }),
  replace: bent({ files: fc.array(word), replacement: word, raw: word, regex: word, flags: word }),
  escape_string: bent({ text: word }),
  unescape_string: bent({ text: word, path: word }),
};
const said = { description: word, timeout_sec: number, filter_regex: word, tail_lines: number };
const command = fc.oneof(
  fc.record(
    { run: word, shell: word, cwd: word, ...said },
    { requiredKeys: ["run", "shell", "cwd"] },
  ),
  ...Object.entries(payloads).map(([kind, payload]) => fc.record({ [kind]: payload })),
  bent({ ...said, shell: word, run: word, cwd: word, ...payloads }),
);
const anyEnvelope = bent({
  message: word,
  plan: fc.array(step, { maxLength: 4 }),
  command,
});

describe("envelopes and their schema", () => {
  it("[R-ENV-6] agree on all that the schema decides", () => {
    let sound = 0;
    const agrees = (value: unknown): void => {
      const checked = checkEnvelope(value);
      const problems = "problems" in checked ? checked.problems : [];
      const formless = problems.filter(({ rule }) => ofForm.test(rule));
      const fit = fits(value);
      if (fit) sound++;
      const words = JSON.stringify({ value, formless, errors: fits.errors });
      assert.equal(formless.length === 0, fit, words);
    };
    fc.assert(fc.property(anyEnvelope, agrees), { numRuns: 6000 });
    fc.assert(fc.property(fc.jsonValue(), agrees), { numRuns: 500 });
    assert.ok(sound > 500, `only ${sound} were sound`);
  });
});
