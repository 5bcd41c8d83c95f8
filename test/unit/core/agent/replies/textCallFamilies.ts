/** A call to write as text. */
export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One form in which model families write their calls, where the server does not parse them. */
export interface Family {
  /** The models. */
  readonly name: string;
  /** Writes calls as these models do. */
  readonly write: (calls: readonly Call[]) => string;
  /** Whether a call begins with a mark of its own, so that it may follow text on the same line. */
  readonly isMarked: boolean;
  /** Arguments of the tool `configure` for whose type the form has a way to write that is not read. */
  readonly lacks?: readonly string[];
}

const json = JSON.stringify;

function shown(value: unknown): string {
  return typeof value === "string" ? value : json(value);
}

/** Writes a call's arguments one by one. */
function each({ args }: Call, write: (key: string, value: unknown) => string): string {
  return Object.entries(args)
    .map(([key, value]) => write(key, value))
    .join("");
}

/** Writes calls one after the other. */
function joined(write: (call: Call, index: number) => string, separator = "") {
  return (calls: readonly Call[]) => calls.map(write).join(separator);
}

function wrapped(before: string, write: (calls: readonly Call[]) => string, after: string) {
  return (calls: readonly Call[]) => `${before}${write(calls)}${after}`;
}

const asObject = ({ name, args }: Call) => json({ name, arguments: args });
const withParameters = ({ name, args }: Call) => json({ name, parameters: args });
const asList = (calls: readonly Call[]) =>
  json(calls.map(({ name, args }) => ({ name, arguments: args })));

function python(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return json(value);
  const items = Object.entries(value).map(([key, one]) => `${json(key)}: ${python(one)}`);
  return `{${items.join(", ")}}`;
}

function pythonCall({ name, args }: Call): string {
  const given = Object.entries(args).map(([key, value]) => `${key}=${python(value)}`);
  return `${name}(${given.join(", ")})`;
}

/** Writes a value with bare keys, and strings between marks without escapes. */
function bareKeys(value: unknown, mark: string): string {
  if (typeof value === "string") return `${mark}${value}${mark}`;
  if (Array.isArray(value)) return `[${value.map((one) => bareKeys(one, mark)).join(",")}]`;
  if (typeof value !== "object" || value === null) return json(value);
  const items = Object.entries(value).map(([key, one]) => `${key}:${bareKeys(one, mark)}`);
  return `{${items.join(",")}}`;
}

function invoke(prefix: string, typed = false) {
  return joined((call) => {
    const body = each(call, (key, value) => {
      const type = typed ? ` string="${String(typeof value === "string")}"` : "";
      return `<${prefix}parameter name="${key}"${type}>${shown(value)}</${prefix}parameter>\n`;
    });
    return `<${prefix}invoke name="${call.name}">\n${body}</${prefix}invoke>\n`;
  });
}

function keysAndValues(between: string, suffix = "", separator = "", prefix = "") {
  const tag = (name: string) => `${prefix}${name}${suffix}`;
  return joined((call) => {
    const body = each(
      call,
      (key, value) =>
        `<${tag("arg_key")}>${key}</${tag("arg_key")}>${between}<${tag("arg_value")}>${shown(value)}</${tag("arg_value")}>${between}`,
    );
    return `<${tag("tool_call")}>${call.name}${separator}${between}${body}</${tag("tool_call")}>`;
  }, between);
}

const functionTags = (between: string) => (call: Call) => {
  const body = each(
    call,
    (key, value) => `<parameter=${key}>${between}${shown(value)}${between}</parameter>\n`,
  );
  return `<function=${call.name}>\n${body}</function>`;
};

function deepSeek(write: (call: Call) => string, word = (name: string) => `｜${name}｜`) {
  const mark = (name: string) => `<${word(name)}>`;
  return wrapped(
    mark("tool▁calls▁begin"),
    joined((call) => `${mark("tool▁call▁begin")}${write(call)}${mark("tool▁call▁end")}`, "\n"),
    `${mark("tool▁calls▁end")}<｜end▁of▁sentence｜>`,
  );
}

const minimax = "]<]minimax[>[";

export const families: readonly Family[] = [
  {
    name: "Hermes, Qwen 2.5 and 3, Granite 4, ERNIE 4.5, EXAONE 4, Ling, SmolLM 3",
    isMarked: true,
    write: joined((call) => `<tool_call>\n${asObject(call)}\n</tool_call>`, "\n"),
  },
  {
    name: "Qwen 2.5 Coder",
    isMarked: true,
    write: joined((call) => `<tools>\n${asObject(call)}\n</tools>`, "\n"),
  },
  {
    name: "Qwen 3 Coder, Nemotron 3, Step 3.5, MiMo V2, IQuest Coder",
    isMarked: true,
    write: joined((call) => `<tool_call>\n${functionTags("\n")(call)}\n</tool_call>`, "\n"),
  },
  {
    name: "Qwen 3 Coder, without the first mark",
    isMarked: true,
    write: joined((call) => `${functionTags("\n")(call)}\n</tool_call>`, "\n<tool_call>\n"),
  },
  {
    name: "Seed-OSS",
    isMarked: true,
    write: joined((call) => `<seed:tool_call>\n${functionTags("")(call)}\n</seed:tool_call>`, "\n"),
  },
  {
    name: "Functionary 3.1, Llama 3.1 with tools of its own",
    isMarked: true,
    write: joined(({ name, args }) => `<function=${name}>${json(args)}</function>`, "\n"),
  },
  {
    name: "Claude",
    isMarked: true,
    write: wrapped("<function_calls>\n", invoke(""), "</function_calls>"),
  },
  {
    name: "MiniMax M2",
    isMarked: true,
    write: wrapped("<minimax:tool_call>\n", invoke(""), "</minimax:tool_call>"),
  },
  {
    name: "MiniMax M3",
    isMarked: true,
    lacks: ["list", "options"],
    write: wrapped(
      `${minimax}<tool_call>\n`,
      joined((call) => {
        const body = each(
          call,
          (key, value) => `${minimax}<${key}>${shown(value)}${minimax}</${key}>`,
        );
        return `${minimax}<invoke name="${call.name}">${body}${minimax}</invoke>\n`;
      }),
      `${minimax}</tool_call>`,
    ),
  },
  {
    name: "DeepSeek V3.2",
    isMarked: true,
    write: wrapped(
      "<｜DSML｜function_calls>\n",
      invoke("｜DSML｜", true),
      "</｜DSML｜function_calls>",
    ),
  },
  {
    name: "DeepSeek V4",
    isMarked: true,
    write: wrapped("<｜DSML｜tool_calls>\n", invoke("｜DSML｜", true), "</｜DSML｜tool_calls>"),
  },
  {
    name: "GigaChat 3.5",
    isMarked: true,
    write: wrapped("<｜GCML｜tool_calls>", invoke("｜GCML｜", true), "</｜GCML｜tool_calls>"),
  },
  {
    name: "Muse Glimmer",
    isMarked: true,
    write: wrapped("<atem:function_calls>\n", invoke("atem:"), "</atem:function_calls>"),
  },
  {
    name: "dots",
    isMarked: true,
    write: wrapped("<dots_function_call>", invoke(""), "</dots_function_call>"),
  },
  {
    name: "Step 3",
    isMarked: true,
    write: wrapped(
      "<｜tool_calls_begin｜>",
      joined(
        (call) =>
          `<｜tool_call_begin｜>function<｜tool_sep｜>${call.name}\n${invoke("steptml:")([call])}<｜tool_call_end｜>`,
      ),
      "<｜tool_calls_end｜>",
    ),
  },
  {
    name: "MiniCPM 5",
    isMarked: true,
    write: joined((call) => {
      const body = each(call, (key, value) => `<param name="${key}">${shown(value)}</param>`);
      return `<function name="${call.name}">${body}</function>`;
    }, "\n"),
  },
  { name: "GLM 4.5 and 4.6, Laguna", isMarked: true, write: keysAndValues("\n") },
  { name: "GLM 4.7 and 5, Spark", isMarked: true, write: keysAndValues("") },
  {
    name: "Hunyuan 3",
    isMarked: true,
    write: wrapped("<tool_calls>\n", keysAndValues("\n", "", "<tool_sep>"), "\n</tool_calls>"),
  },
  {
    name: "Hunyuan 4",
    isMarked: true,
    write: wrapped(
      "<tool_calls:opensource>",
      keysAndValues("", ":opensource"),
      "</tool_calls:opensource>",
    ),
  },
  {
    name: "K2 Horizon",
    isMarked: true,
    write: wrapped("<ifm|tool_calls>", keysAndValues("", "", "", "ifm|"), "</ifm|tool_calls>"),
  },
  {
    name: "Solar Open 2",
    isMarked: true,
    write: joined((call) => {
      const body = each(
        call,
        (key, value) =>
          `<|tool_arg:start|>${key}<|tool_arg:value|>${shown(value)}<|tool_arg:end|>\n`,
      );
      return `<|tool_call:start|>${call.name}\n${body}<|tool_call:end|>`;
    }, "\n"),
  },
  {
    name: "Kimi K2",
    isMarked: true,
    write: wrapped(
      "<|tool_calls_section_begin|>",
      joined(
        ({ name, args }, index) =>
          `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${json(args)}<|tool_call_end|>`,
      ),
      "<|tool_calls_section_end|>",
    ),
  },
  {
    name: "Kimi K3",
    isMarked: true,
    write: wrapped(
      "<|open|>tools<|sep|>",
      joined((call, index) => {
        const body = each(
          call,
          (key, value) =>
            `<|open|>argument key="${key}" type="${typeof value}"<|sep|>${shown(value)}<|close|>argument<|sep|>`,
        );
        return `<|open|>call tool="${call.name}" index="${index + 1}"<|sep|>${body}<|close|>call<|sep|>`;
      }),
      "<|close|>tools<|sep|><|close|>message<|sep|>",
    ),
  },
  {
    name: "DeepSeek R1 and V3",
    isMarked: true,
    write: deepSeek(
      ({ name, args }) => `function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(args)}\n\`\`\``,
    ),
  },
  {
    name: "DeepSeek V3.1",
    isMarked: true,
    write: deepSeek(({ name, args }) => `${name}<｜tool▁sep｜>${json(args)}`),
  },
  {
    name: "DeepSeek R1's distilled models, with other characters in the marks",
    isMarked: true,
    write: (calls) =>
      deepSeek(
        ({ name, args }) => `function<|tool_sep|>${name}\n\`\`\`json\n${json(args)}\n\`\`\``,
      )(calls)
        .replaceAll("｜", "|")
        .replaceAll("▁", "_"),
  },
  {
    name: "Mistral 7B, Mixtral, Nemo",
    isMarked: true,
    write: (calls) => `[TOOL_CALLS] ${asList(calls)}`,
  },
  {
    name: "Mistral Small, Magistral, Devstral",
    isMarked: true,
    write: joined(({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${json(args)}`),
  },
  {
    name: "Mistral Small 3.2",
    isMarked: true,
    write: joined(({ name, args }) => `[TOOL_CALLS]${name}[CALL_ID]a1b2c3d4e[ARGS]${json(args)}`),
  },
  {
    name: "gpt-oss",
    isMarked: true,
    write: joined(
      ({ name, args }) =>
        `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(args)}<|call|>`,
    ),
  },
  {
    name: "Llama 3.1 and 3.3",
    isMarked: true,
    write: wrapped("<|python_tag|>", joined(withParameters, "; "), ""),
  },
  { name: "Llama 3.2", isMarked: false, write: joined(withParameters, "; ") },
  {
    name: "Llama 4",
    isMarked: true,
    write: wrapped("<|python_start|>[", joined(pythonCall, ", "), "]<|python_end|>"),
  },
  {
    name: "Granite 3",
    isMarked: true,
    write: (calls) => `<|tool_call|>${asList(calls)}`,
  },
  {
    name: "Granite Code 20B",
    isMarked: true,
    write: joined((call) => `<function_call> ${asObject(call)}`, " "),
  },
  {
    name: "Phi-4",
    isMarked: true,
    write: (calls) => `<|tool_call|>${asList(calls)}<|/tool_call|>`,
  },
  {
    name: "Phi-4 mini, FireFunction 2",
    isMarked: true,
    write: (calls) => `functools${asList(calls)}`,
  },
  {
    name: "Nemotron Nano 2, Llama Nemotron",
    isMarked: true,
    write: (calls) => `<TOOLCALL>${asList(calls)}</TOOLCALL>`,
  },
  {
    name: "Apertus",
    isMarked: true,
    write: (calls) =>
      `<|tools_prefix|>${json(calls.map(({ name, args }) => ({ [name]: args })))}<|tools_suffix|>`,
  },
  {
    name: "Command A, Command R7B, North",
    isMarked: true,
    write: (calls) => {
      const list = calls.map(({ name, args }, index) => ({
        tool_call_id: String(index),
        tool_name: name,
        parameters: args,
      }));
      return `<|START_ACTION|>${JSON.stringify(list, null, 4)}<|END_ACTION|>`;
    },
  },
  {
    name: "InternLM 2 and 3, Intern-S1",
    isMarked: true,
    write: joined((call) => `<|action_start|><|plugin|>\n${withParameters(call)}<|action_end|>`),
  },
  {
    name: "LongCat",
    isMarked: true,
    write: joined((call) => `<longcat_tool_call>${asObject(call)}</longcat_tool_call>`, "\n"),
  },
  {
    name: "Jamba, Hunyuan A13B, Apriel",
    isMarked: true,
    write: (calls) => `<tool_calls>${asList(calls)}</tool_calls>`,
  },
  {
    name: "MiniMax M1",
    isMarked: true,
    write: wrapped("<tool_calls>\n", joined(asObject, "\n"), "\n</tool_calls>"),
  },
  {
    name: "GigaChat 3",
    isMarked: true,
    write: joined((call) => `<|function_call|>${asObject(call)}`),
  },
  {
    name: "openPangu 2",
    isMarked: true,
    write: (calls) => `<|tool_call_start|>${asList(calls)}<|tool_call_end|>`,
  },
  {
    name: "LFM 2",
    isMarked: true,
    write: wrapped("<|tool_call_start|>[", joined(pythonCall, ", "), "]<|tool_call_end|>"),
  },
  {
    name: "OLMo 3",
    isMarked: true,
    write: wrapped("<function_calls>\n", joined(pythonCall, "\n"), "\n</function_calls>"),
  },
  {
    name: "ToolACE, Llama 3.2 with Python's calls",
    isMarked: false,
    write: wrapped("[", joined(pythonCall, ", "), "]"),
  },
  { name: "Granite with Python's calls", isMarked: false, write: joined(pythonCall, "\n") },
  {
    name: "Gemma 3",
    isMarked: false,
    write: wrapped("```tool_code\n", joined(pythonCall, "\n"), "\n```"),
  },
  {
    name: "Gemma 4",
    isMarked: true,
    write: joined(
      ({ name, args }) => `<|tool_call>call:${name}${bareKeys(args, '<|"|>')}<tool_call|>`,
    ),
  },
  {
    name: "FunctionGemma",
    isMarked: true,
    write: joined(
      ({ name, args }) =>
        `<start_function_call>call:${name}${bareKeys(args, "<escape>")}<end_function_call>`,
    ),
  },
  {
    name: "Functionary 3.2",
    isMarked: false,
    write: joined(({ name, args }) => `>>>${name}\n${json(args)}`, "\n"),
  },
  { name: "xLAM", isMarked: false, write: asList },
  {
    name: "models that Roo Code and Cline have taught",
    isMarked: false,
    write: joined((call) => {
      const body = each(call, (key, value) => `<${key}>${shown(value)}</${key}>\n`);
      return `<${call.name}>\n${body}</${call.name}>`;
    }, "\n"),
  },
  {
    name: "models in ReAct's manner",
    isMarked: false,
    write: joined(({ name, args }) => `Action: ${name}\nAction Input: ${json(args)}`, "\n"),
  },
  {
    name: "models without a form of their own, in a fence",
    isMarked: false,
    write: (calls) =>
      `\`\`\`json\n${calls.length === 1 ? joined(asObject)(calls) : asList(calls)}\n\`\`\``,
  },
];
