import assert from "node:assert/strict";
import { understood } from "./malformedReplies.js";

/** How a family of models writes calls where the server does not parse them, in the form that its templates give. */
interface Family {
  readonly name: string;
  /** Writes calls as the family does; arguments are texts, numbers or booleans. */
  readonly write: (calls: readonly Call[]) => string;
}

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, string | number | boolean>>;
}

const json = ({ args }: Call) => JSON.stringify(args);
const named = (calls: readonly Call[], key = "arguments") =>
  calls.map(({ name, args }) => ({ name, [key]: args }));
const fields = ({ args }: Call, write: (key: string, value: string) => string) =>
  Object.entries(args)
    .map(([key, value]) => write(key, String(value)))
    .join("");
const each = (write: (call: Call) => string, between = "\n") => {
  return (calls: readonly Call[]) => calls.map(write).join(between);
};
const python = ({ name, args }: Call): string => {
  const literal = (value: unknown) =>
    typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
  const given = Object.entries(args).map(([key, value]) => `${key}=${literal(value)}`);
  return `${name}(${given.join(", ")})`;
};

const families: readonly Family[] = [
  {
    name: "Hermes, Qwen 2.5 and 3, Granite 4",
    write: each(
      (call) => `<tool_call>\n{"name": "${call.name}", "arguments": ${json(call)}}\n</tool_call>`,
    ),
  },
  {
    name: "Qwen 3 Coder, Step 3.5",
    write: each(
      (call) =>
        `<tool_call>\n<function=${call.name}>\n${fields(call, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>\n</tool_call>`,
    ),
  },
  { name: "Mistral, old", write: (calls) => `[TOOL_CALLS] ${JSON.stringify(named(calls))}` },
  { name: "Mistral", write: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${json(call)}`, "") },
  {
    name: "Mistral, with ids",
    write: each((call) => `[TOOL_CALLS]${call.name}[CALL_ID]a1b2c3d4e[ARGS]${json(call)}`, ""),
  },
  {
    name: "Llama 3.1",
    write: each((call) => `{"name": "${call.name}", "parameters": ${json(call)}}`, "; "),
  },
  {
    name: "Llama 3.1, own functions",
    write: each((call) => `<function=${call.name}>${json(call)}</function>`, ""),
  },
  { name: "Llama 4", write: (calls) => `[${calls.map(python).join(", ")}]` },
  {
    name: "Llama 4, marked",
    write: (calls) => `<|python_start|>[${calls.map(python).join(", ")}]<|python_end|>`,
  },
  {
    name: "OLMo 3",
    write: (calls) => `<function_calls>${calls.map(python).join("\n")}</function_calls>`,
  },
  {
    name: "LFM 2",
    write: (calls) => `<|tool_call_start|>[${calls.map(python).join(", ")}]<|tool_call_end|>`,
  },
  {
    name: "DeepSeek V3",
    write: (calls) =>
      `<｜tool▁calls▁begin｜>${each((call) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n\`\`\`json\n${json(call)}\n\`\`\`<｜tool▁call▁end｜>`)(calls)}<｜tool▁calls▁end｜>`,
  },
  {
    name: "DeepSeek V3.1",
    write: (calls) =>
      `<｜tool▁calls▁begin｜>${each((call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${json(call)}<｜tool▁call▁end｜>`, "")(calls)}<｜tool▁calls▁end｜>`,
  },
  {
    name: "DeepSeek V3.2",
    write: (calls) =>
      `<｜DSML｜function_calls>\n${each((call) => `<｜DSML｜invoke name="${call.name}">\n${fields(call, (key, value) => `<｜DSML｜parameter name="${key}" string="true">${value}</｜DSML｜parameter>\n`)}</｜DSML｜invoke>`)(calls)}\n</｜DSML｜function_calls>`,
  },
  {
    name: "Kimi K2",
    write: (calls) =>
      `<|tool_calls_section_begin|>${calls.map((call, index) => `<|tool_call_begin|>functions.${call.name}:${index}<|tool_call_argument_begin|>${json(call)}<|tool_call_end|>`).join("")}<|tool_calls_section_end|>`,
  },
  {
    name: "GLM 4.5, 4.7",
    write: each(
      (call) =>
        `<tool_call>${call.name}\n${fields(call, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)}</tool_call>`,
    ),
  },
  { name: "GLM 4", write: each((call) => `${call.name}\n${json(call)}`) },
  {
    name: "LongCat",
    write: each(
      (call) =>
        `<longcat_tool_call>${call.name}\n${fields(call, (key, value) => `<longcat_arg_key>${key}</longcat_arg_key>\n<longcat_arg_value>${value}</longcat_arg_value>\n`)}</longcat_tool_call>`,
    ),
  },
  {
    name: "MiniMax M1, Jamba, Hunyuan",
    write: (calls) => `<tool_calls>\n${JSON.stringify(named(calls))}\n</tool_calls>`,
  },
  {
    name: "MiniMax M2",
    write: (calls) =>
      `<minimax:tool_call>\n${each((call) => `<invoke name="${call.name}">\n${fields(call, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)}</invoke>`)(calls)}\n</minimax:tool_call>`,
  },
  {
    name: "Seed OSS",
    write: each(
      (call) =>
        `<seed:tool_call>\n<function=${call.name}>\n${fields(call, (key, value) => `<parameter=${key}>${value}</parameter>\n`)}</function>\n</seed:tool_call>`,
    ),
  },
  {
    name: "Step 3",
    write: (calls) =>
      `<｜tool_calls_begin｜>${each((call) => `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${call.name}">${fields(call, (key, value) => `<steptml:parameter name="${key}">${value}</steptml:parameter>`)}</steptml:invoke><｜tool_call_end｜>`, "")(calls)}<｜tool_calls_end｜>`,
  },
  {
    name: "MiniCPM 5",
    write: each(
      (call) =>
        `<function name="${call.name}">${fields(call, (key, value) => `<param name="${key}">${value}</param>`)}</function>`,
    ),
  },
  { name: "Granite 3", write: (calls) => `<|tool_call|>${JSON.stringify(named(calls))}` },
  {
    name: "Granite 20B",
    write: each(
      (call) => `<function_call> {"name": "${call.name}", "arguments": ${json(call)}}`,
      " ",
    ),
  },
  {
    name: "Phi 4 Mini, FireFunction",
    write: (calls) => `functools${JSON.stringify(named(calls))}`,
  },
  { name: "Nemotron", write: (calls) => `<TOOLCALL>${JSON.stringify(named(calls))}</TOOLCALL>` },
  {
    name: "InternLM 2",
    write: each(
      (call) =>
        `<|action_start|><|plugin|>\n${JSON.stringify(named([call], "parameters")[0])}<|action_end|>`,
      "",
    ),
  },
  {
    name: "Command A",
    write: (calls) =>
      `<|START_ACTION|>${JSON.stringify(calls.map(({ name, args }, index) => ({ tool_call_id: String(index), tool_name: name, parameters: args })))}<|END_ACTION|>`,
  },
  {
    name: "Apertus",
    write: (calls) =>
      `<|tools_prefix|>${JSON.stringify(calls.map(({ name, args }) => ({ [name]: args })))}<|tools_suffix|>`,
  },
  {
    name: "HyperCLOVA X",
    write: (calls) => ` -> tool/function_call\n${JSON.stringify(named(calls))}`,
  },
  {
    name: "GigaChat 3",
    write: each((call) => `function call<|role_sep|>\n${JSON.stringify(named([call])[0])}`),
  },
  {
    name: "openPangu",
    write: (calls) => `[unused11]${JSON.stringify(named(calls))}[unused12]`,
  },
  {
    name: "FunctionGemma",
    write: each(
      (call) =>
        `<start_function_call>call:${call.name}{${Object.entries(call.args)
          .map(([key, value]) =>
            typeof value === "string" ? `${key}:<escape>${value}<escape>` : `${key}:${value}`,
          )
          .join(",")}}<end_function_call>`,
      "",
    ),
  },
  {
    name: "Gemma 4",
    write: each(
      (call) =>
        `<|tool_call>call:${call.name}{${Object.entries(call.args)
          .map(([key, value]) =>
            typeof value === "string" ? `${key}:<|"|>${value}<|"|>` : `${key}:${value}`,
          )
          .join(",")}}<tool_call|>`,
      "",
    ),
  },
  { name: "Gemma 3", write: (calls) => `\`\`\`tool_code\n${calls.map(python).join("\n")}\n\`\`\`` },
  { name: "Functionary", write: each((call) => `>>>${call.name}\n${json(call)}`) },
  {
    name: "gpt-oss",
    write: each(
      (call) =>
        `<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${json(call)}<|call|>`,
      "",
    ),
  },
  {
    name: "Claude, as others imitate it",
    write: (calls) =>
      `<function_calls>\n${each((call) => `<invoke name="${call.name}">\n${fields(call, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)}</invoke>`)(calls)}\n</function_calls>`,
  },
  {
    name: "any, by Roo Code's prompt",
    write: each(
      (call) =>
        `<${call.name}>\n${fields(call, (key, value) => `<${key}>${value}</${key}>\n`)}</${call.name}>`,
    ),
  },
];

const one: Call = { name: "read_file", args: { path: "src/a.ts" } };
const other: Call = { name: "search_files", args: { path: "src", regex: "needle" } };
const typed: Call = {
  name: "edit_file",
  args: { path: "a.ts", old_text: "let a = 1;", new_text: "let a = 2;", replace_all: true },
};

describe("calls in the text of", () => {
  for (const { name, write } of families) {
    it(`${name}: are read, one or several, with values of each type`, async () => {
      for (const calls of [[one], [one, other], [typed]]) {
        const text = write(calls);
        const made = await understood({ text: [text] });
        assert.deepEqual(
          made.calls,
          calls.map((call) => ({ name: call.name, arguments: call.args })),
          text,
        );
        assert.equal(made.text, "", text);
      }
    });

    it(`${name}: are none where the text ends within one`, async () => {
      const text = write([one]);
      const cut = text.slice(0, text.indexOf("a.ts"));
      const made = await understood({ text: [cut] });
      assert.deepEqual(made.calls, [], cut);
    });
  }
});
