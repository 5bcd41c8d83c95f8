import assert from "node:assert/strict";
import fc from "fast-check";
import { textCalls } from "../../../../../src/core/agent/replies/textCalls/textCalls.js";
import { parseLooseJson } from "../../../../../src/core/documents/looseJson.js";
import { tries } from "../../../../fakes/tries.js";
import { malformedReplies, toolbox, understood } from "./malformedReplies.js";

const text = fc.string({ unit: "grapheme" });
/** Texts that look like what is put right elsewhere. */
const tricky = fc.oneof(
  text,
  fc.constantFrom(
    "<think>a</think>",
    '{"name": "read_file", "arguments": {"path": "b"}}',
    "<read_file><path>b</path></read_file>",
    "```json\n{}\n```",
    "\\d+ \\n None",
    "{}{}",
  ),
);
const given = fc.oneof(
  fc.record({ name: fc.constant("read_file"), args: fc.record({ path: tricky }) }),
  fc.record({
    name: fc.constant("write_to_file"),
    args: fc.record({ path: text, content: tricky }),
  }),
  fc.record({
    name: fc.constant("edit_file"),
    args: fc.record({ path: text, old_text: tricky, new_text: tricky, replace_all: fc.boolean() }),
  }),
);

const recovered = malformedReplies.filter(({ expect }) => expect === "recovered");
/** What a model writes that means it: calls with nothing before them. */
const bodies = recovered.flatMap(({ text: body, rest }) =>
  body !== undefined && rest === undefined ? [body] : [],
);

describe("understanding a reply", () => {
  it("lets a well-formed one pass, to the byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { minLength: 1, maxLength: 3 }),
        tricky.filter((said) => !/^\s*[<[](?:\/?think|thought|reason|seed|mm)/i.test(said)),
        fc.constantFrom(undefined, 1, 2),
        async (calls, said, indent) => {
          const toolCalls = calls.map(({ name, args }) => ({
            name,
            arguments: JSON.stringify(args, null, indent),
          }));
          const made = await understood({ text: said, toolCalls });
          assert.equal(made.text, said);
          assert.deepEqual(
            made.raw.map(({ name, arguments: args }) => ({ name, arguments: args })),
            toolCalls,
          );
          assert.deepEqual(
            made.events.filter(({ type }) => type === "repaired"),
            [],
          );
        },
      ),
      { numRuns: tries(300) },
    );
  });

  it("never takes an example for a call", async () => {
    const quoted = fc
      .tuple(
        fc.constantFrom(...bodies),
        fc.constantFrom(
          (body: string) => `For example:\n\n${body}`,
          (body: string) => `It would look like this:\n${body}`,
          (body: string) => `A call:\n\n\`\`\`\n${body}\n\`\`\`\n\nThat is all.`,
          (body: string) => `You can write this:\n${body}`,
          (body: string) => `${body}\n\nis what the model wrote.`,
          (body: string) => `The model answered:\n\n${body}`,
          (body: string) => `I have seen \`${body}\` in the log.`,
          (body: string) => `> ${body.replaceAll("\n", "\n> ")}`,
          (body: string) => `\`\`\`python\n${body}\n\`\`\``,
          (body: string) => `| call |\n| --- |\n| ${body.replaceAll("\n", " ")} |`,
          (body: string) => `const example = ${JSON.stringify(body)};`,
        ),
      )
      .filter(([body]) => !body.includes("think>"))
      .map(([body, frame]) => frame(body));
    await fc.assert(
      fc.asyncProperty(quoted, async (said) => {
        const made = await understood({ text: said });
        assert.deepEqual(made.calls, []);
        assert.equal(made.text, said);
      }),
      { numRuns: tries(1_000) },
    );
  });

  it("never takes other text for a call", async () => {
    const part = fc.oneof(
      text,
      fc.json(),
      fc.constantFrom(
        "read_file",
        "list_files",
        "<path>",
        "</read_file>",
        "<read_file>",
        '{"path": "a"}',
        "```",
        "```json",
        "\n",
        "[TOOL_CALLS]",
        "<tool_call>",
        "Action: read_file",
        "(",
        ")",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }).map((parts) => `The cart: ${parts.join(" ")}.`),
        async (said) => {
          const made = await understood({ text: said });
          assert.deepEqual(made.calls, []);
        },
      ),
      { numRuns: tries(1_000) },
    );
  });

  it("makes nothing of a reply that was cut but what it says whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...recovered), fc.nat(), async (reply, cut) => {
        const [call] = reply.native ?? [];
        const whole = call?.arguments ?? reply.text ?? "";
        const kept = whole.slice(0, cut % Math.max(1, whole.length));
        const made = await understood(
          call ? { toolCalls: [{ ...call, arguments: kept }] } : { text: kept },
        );
        const meant = made.calls.filter((one) => one.arguments !== undefined);
        assert.deepEqual(meant, (reply.calls ?? []).slice(0, meant.length));
      }),
      { numRuns: tries(3_000) },
    );
  });

  it("shows a text as it comes, but no call in it, which would be taken away again", async () => {
    const deltas = async (...pieces: readonly string[]) => {
      const { events } = await understood({ text: pieces });
      return events.flatMap((event) => (event.type === "textDelta" ? [event.text] : []));
    };
    const call = ["\n<re", "ad_file><path>", "a</path></read_file>"];
    assert.deepEqual(await deltas("I'll ", "look.\n", ...call), ["I'll ", "look.\n", "\n"]);
    assert.deepEqual(await deltas("a <read_file> ", "b\n<b>", "c"), [
      "a <read_file> ",
      "b\n",
      "<b>c",
    ]);
    assert.deepEqual(await deltas("It is:", ...call), [
      "It is:",
      "\n",
      "<read_file><path>a</path></read_file>",
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(tricky), async (pieces) => {
        const { events, text: whole } = await understood({ text: pieces });
        const shown = events.flatMap((event) => (event.type === "textDelta" ? [event.text] : []));
        if (events.every(({ type }) => type !== "repaired")) assert.equal(shown.join(""), whole);
      }),
    );
  });

  it("takes no long time for any text", () => {
    const texts = [
      `${"<read_file><path>a</path></read_file>".repeat(2_000)}x`,
      `<read_file><path>${"</path></read_file>".repeat(5_000)}`,
      `{"${'\\"'.repeat(50_000)}`,
      `${'{"name":"read_file","arguments":{"path":"a"}}'.repeat(2_000)}x`,
      `read_file(${"path='a',".repeat(5_000)}`,
      "<tool_call>".repeat(20_000),
      `${"<function_calls>".repeat(20_000)}<invoke name="read_file">`,
      "<start_function_call>call:read_file{path:<escape>".repeat(5_000),
      '<function name="read_file"><param name="path">'.repeat(5_000),
      "<longcat_tool_call>read_file<longcat_arg_key>path</longcat_arg_key>".repeat(5_000),
      `${'<function=read_file>{"path":"a"}'.repeat(3_000)}</function>`,
      "functools[".repeat(20_000),
      "{".repeat(50_000),
    ];
    // What takes quadratic time takes more than a test may.
    for (const text of texts) {
      assert.equal(textCalls(text, toolbox), undefined);
      assert.equal(parseLooseJson(text).ok, false);
    }
  });

  it("gives calls in text ids that are the message's own", async () => {
    const made = await understood({
      text: "<read_file><path>a</path></read_file><read_file><path>b</path></read_file>",
    });
    assert.deepEqual(made.raw, [
      { id: "call_m-1_1", name: "read_file", arguments: '{"path":"a"}' },
      { id: "call_m-1_2", name: "read_file", arguments: '{"path":"b"}' },
    ]);
    assert.deepEqual(made.events, [
      { type: "repaired", messageId: "m-1", repairs: ["textCall"] },
      { type: "usage", usage: null },
    ]);
  });
});
