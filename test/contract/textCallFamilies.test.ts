import assert from "node:assert/strict";
import * as z from "zod";
import { normalizeReply } from "../../src/core/agent/replies/normalizeReply.js";
import type { AnyTool } from "../../src/core/agent/tool.js";
import { toolbox, understood } from "../unit/core/agent/replies/malformedReplies.js";
import { type Call, families } from "../unit/core/agent/replies/textCallFamilies.js";

/** A tool with an argument of each type that JSON has. */
const configure: AnyTool = {
  kind: "completion",
  name: "configure",
  description: "Sets options.",
  parameters: z.object({
    text: z.string(),
    count: z.int(),
    ratio: z.number(),
    enabled: z.boolean(),
    limit: z.number().nullish(),
    list: z.array(z.string()).nullish(),
    options: z.object({ depth: z.number(), names: z.array(z.string()) }).nullish(),
  }),
};
const tools: ReadonlyMap<string, AnyTool> = new Map([...toolbox, [configure.name, configure]]);

const read: Call = { name: "read_file", args: { path: "src/a.ts", start_line: 3 } };
const list: Call = { name: "list_files", args: { path: "src", recursive: true } };
const problems: Call = { name: "get_diagnostics", args: {} };
const write: Call = {
  name: "write_to_file",
  args: { path: "notes.md", content: "Some words,\n\t{and} a last \"one\" <here>, 'quoted'" },
};
const everyType = {
  text: 'say "yes" \\ or\n<b>no</b>, [one] {two}',
  count: 7,
  ratio: -2.5,
  enabled: false,
  limit: null,
  list: ["a, b", "c"],
  options: { depth: 2, names: ["x"] },
};

interface Made {
  readonly text: string;
  readonly calls: readonly Call[];
}

function made(text: string): Made {
  const { reply } = normalizeReply({ text, toolCalls: [] }, tools, "m-1");
  const calls = reply.toolCalls.map(({ name, arguments: json }) => ({
    name,
    args: withoutNulls(JSON.parse(json) as Call["args"]),
  }));
  return { text: reply.text, calls };
}

/** Returns the arguments without those that are `null`, which means the same as a missing one. */
function withoutNulls(args: Call["args"]): Call["args"] {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** Frames in which a text talks about calls. */
const talk: readonly ((body: string) => string)[] = [
  (body) => `For example:\n\n${body}`,
  (body) => `It would look like this:\n${body}`,
  (body) =>
    `This model writes its calls in a form of its own:\n\n\`\`\`\n${body}\n\`\`\`\n\nThat is all.`,
  (body) => `${body}\n\nis what the model wrote.`,
  (body) => `The model answered:\n\n${body}`,
  (body) => `I have seen \`${body}\` in the log.`,
  (body) => `> ${body.replaceAll("\n", "\n> ")}`,
  (body) => `\`\`\`python\n${body}\n\`\`\``,
  (body) => `| form | meaning |\n| --- | --- |\n| ${body.replaceAll("\n", " ")} | a call |`,
  (body) => `const form = ${JSON.stringify(body)};`,
  (body) => `# Forms\n\nThis documents the form.\n\n1. ${body}\n2. Others.`,
];

describe("calls that a model family writes as text", () => {
  for (const { name, write: asText, isMarked, lacks = [] } of families) {
    it(`reads ${name}`, async () => {
      const whole = (...calls: readonly Call[]) => {
        assert.deepEqual(made(asText(calls)), { text: "", calls });
      };
      whole(read);
      whole(read, list);
      whole(list, read, write);
      whole(problems);
      whole(problems, read);
      whole(write);
      const args = Object.fromEntries(
        Object.entries(everyType).filter(([key]) => !lacks.includes(key)),
      );
      assert.deepEqual(made(asText([{ name: "configure", args }])), {
        text: "",
        calls: [{ name: "configure", args: withoutNulls(args) }],
      });

      const said = "I'll look at the file now.";
      const body = asText([read]);
      assert.deepEqual(made(`${said}\n\n${body}\n`), { text: said, calls: [read] });
      if (isMarked) assert.deepEqual(made(`${said}${body}`), { text: said, calls: [read] });
      const streamed = await understood({ text: `${said}\n${body}`.match(/[^]{1,3}/g) ?? [] });
      assert.deepEqual(streamed.calls, [{ name: read.name, arguments: read.args }]);
      assert.equal(streamed.text, said);
      const shown = streamed.events.flatMap((event) =>
        event.type === "textDelta" ? [event.text] : [],
      );
      if (isMarked && /^[<[\]]/.test(body)) assert.equal(shown.join("").trim(), said);
    });

    it(`runs nothing of ${name} that was cut, and loses none of it`, () => {
      for (const call of [read, write]) {
        const body = asText([call]);
        const last = call === write ? "quoted" : "3";
        for (let cut = 1; cut < body.length; cut++) {
          const text = body.slice(0, cut);
          const { text: kept, calls } = made(text);
          if (calls.length > 0) {
            // Only a mark that ends nothing but the call may be missing.
            assert.ok(cut >= body.lastIndexOf(last) + last.length, text);
            assert.deepEqual({ kept, calls }, { kept: "", calls: [call] }, text);
          } else assert.equal(kept, text);
        }
      }
    });

    it(`takes no talk about the calls of ${name} for calls`, () => {
      for (const frame of talk) {
        const text = frame(asText([read, list]));
        assert.deepEqual(made(text), { text, calls: [] }, text);
      }
    });
  }

  it("reads calls that write a file with such calls, or leaves them as text", () => {
    const unread: string[] = [];
    for (const { name, write: asText } of families) {
      for (const content of [asText([read]), `${asText([read, list])}\n\n${asText([problems])}`]) {
        const call: Call = { name: "write_to_file", args: { path: "forms.md", content } };
        const text = asText([call]);
        const { text: kept, calls } = made(text);
        if (calls.length > 0) assert.deepEqual({ kept, calls }, { kept: "", calls: [call] }, text);
        else {
          assert.equal(kept, text);
          unread.push(name);
        }
      }
    }
    // Their marks around strings cannot be told from the same marks within.
    assert.deepEqual([...new Set(unread)], ["Gemma 4", "FunctionGemma"]);
  });

  it("leaves a call as text that has an argument twice", () => {
    for (const text of [
      "<function=read_file><parameter=path>a</parameter><parameter=path>b</parameter></function>",
      '<|tool_call>call:read_file{path:<|"|>a<|"|>,path:<|"|>b<|"|>}<tool_call|>',
      'read_file(path="a", path="b")',
    ]) {
      assert.deepEqual(made(text), { text, calls: [] });
    }
  });

  it("reads any number of calls", () => {
    for (const { write: asText } of families) {
      const calls = Array.from({ length: 3_000 }, () => read);
      assert.equal(made(asText(calls)).calls.length, calls.length);
    }
  });

  it("takes no long time for any text", () => {
    const likeCalls = families.flatMap(({ write: asText }) => {
      const one = asText([read]);
      const opening = one.slice(0, one.indexOf("src"));
      return [
        `${one.repeat(2_000)}x`,
        `${one.slice(0, -8)}${one.slice(-8).repeat(5_000)}x`,
        one.slice(0, 8).repeat(5_000),
        opening.repeat(2_000),
        `${opening}${"\n".repeat(20_000)}x`,
      ];
    });
    const fields = Array.from({ length: 3_000 }, (_, index) => `<p${index}>x</p${index}>`);
    const others = [
      `<read_file>${fields.join("")}</read_file>x`,
      `<read_file>${"<path>".repeat(20_000)}${"</path>".repeat(19_999)}</read_file>`,
      "```\na\n".repeat(50_000),
      `<|tool_call>call:read_file${"{a:".repeat(50_000)}`,
      `${`<tool_call>${" ".repeat(3_000)}`.repeat(30)}x`,
      `<tool_call>${"a_".repeat(50_000)}`,
      `<${"a_".repeat(50_000)}`,
    ];
    // What takes quadratic time takes more than a test may.
    for (const text of [...likeCalls, ...others]) {
      assert.deepEqual(made(text), { text, calls: [] });
    }
  });
});
