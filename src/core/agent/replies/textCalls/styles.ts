import { jsonArguments, jsonCalls } from "./jsonCalls.js";
import { markedStrings } from "./markedStrings.js";
import { pythonArguments } from "./pythonArguments.js";
import type { TextStyle } from "./style.js";
import { attributeArguments, taggedArguments } from "./taggedArguments.js";

/** An optional prefix of a tag's name: `antml:`, `ifm|`, DeepSeek's `｜DSML｜`, or nothing. */
const prefix = /(?:[a-z]{1,20}[:|]|[｜|]{1,2}[A-Z]{2,8}[｜|]{1,2})?/.source;
/** A suffix that a tag's name may have: `:opensource`, or nothing. */
const suffix = /(?::\w{1,20})?/.source;
/** The name of a tag around calls: `tool_call`, `minimax:tool_call`, `TOOLCALL`. */
const wrapper = `${prefix}(?:\\w{1,20}_)?(?:tool_?calls?|function_?calls?|tool_use|tools|calls)${suffix}`;

/** Text around calls whose arguments are tagged one by one. The last `>` may be missing. */
const aroundTagged = new RegExp(
  [
    `(?:\\]<\\]minimax\\[>\\[)?</?${wrapper}>?`,
    /<[｜|]tool_calls?_(?:begin|end)[｜|]>|(?:function)?<[｜|]tool_sep[｜|]>(?:[\w.-]+)?/.source,
    /<\|(?:open|close)\|>(?:response|tools|message)<\|sep\|>/.source,
  ].join("|"),
);

/** Matches the beginning of a call whose arguments have a tag each. */
const taggedCall = [
  `<${prefix}tool_call${suffix}>\\s*[\\w.-]+\\s*(?:<tool_sep${suffix}>\\s*)?</?${prefix}(?:arg_key|tool_call)`,
  `<${prefix}(?:invoke|function) name="|<function=[\\w.-]+>`,
  /<\|tool_call:start\|>|<\|open\|>(?:tools<\|sep\|>|call tool=")/.source,
].join("|");

const jsonMark = [
  `<${wrapper}>|\\[TOOL_CALLS?\\]|functools(?=\\[)`,
  /<\|(?:tool_calls?|tool_call_start|tool_call_begin|function_call|tools_prefix|start_action|action_start\|>\s*<\|plugin|python_tag|python_start)\|>/
    .source,
].join("|");

/** Calls in Python's manner. */
const pythonForms: TextStyle["forms"] = [
  { open: /(?<name>[A-Za-z_][\w.]*)\(/y, read: pythonArguments },
  { open: /print\(\s*(?<name>[A-Za-z_][\w.]*)\(/y, read: pythonArguments, close: /\s*\)/y },
];
// Bounded: it is tried once a line, or once behind a mark.
const pythonCall = /\[?(?:print\(\s*)?[A-Za-z_][\w.]*\(\s*(?:\w+\s*=|\))/.source;
const pythonMark = `<\\|(?:tool_call_start|python_tag|python_start)\\|>|<${wrapper}>`;

/**
 * The ways in which models write calls into their text, in the order in which they are tried: marked ones
 * first, because they are clearer. The marks of the first four are special tokens that the server should have
 * parsed.
 */
export const styles: readonly TextStyle[] = [
  // <|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{…}<|call|>
  {
    isMarked: true,
    begin: inLine(
      /(?:<\|start\|>assistant\s*)?(?:<\|channel\|>commentary\s+to=|(?:assistant)?commentary to=functions\.|<\|channel\|>analysis<\|message\|>)/,
    ),
    forms: [
      {
        open: /(?:<\|channel\|>analysis<\|message\|>[^]*?<\|end\|>\s*)?(?:<\|start\|>assistant\s*)?(?:<\|channel\|>|assistant)?commentary\s+to=(?<name>[\w.-]+)\s*(?:<\|channel\|>commentary)?\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*/y,
        read: jsonArguments,
      },
    ],
    around: /<\|(?:call|end|return)\|>/,
  },
  // <|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{…}<|tool_call_end|>, of Kimi
  {
    isMarked: true,
    begin: inLine(/<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>\s*[\w.-]+:\d+/),
    forms: [
      {
        open: /<\|tool_call_begin\|>\s*(?<name>[\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*/y,
        read: jsonArguments,
      },
    ],
    around: /<\|tool_calls_section_(?:begin|end)\|>|<\|tool_call_end\|>|<\|im_end\|>/,
  },
  // <｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file and the arguments in a fence, or without; of DeepSeek
  {
    isMarked: true,
    begin: inLine(/<[｜|]tool[▁_ ]calls?[▁_ ]begin[｜|]>/),
    forms: [
      {
        open: /<[｜|]tool[▁_ ]call[▁_ ]begin[｜|]>(?:function<[｜|]tool[▁_ ]sep[｜|]>)?(?<name>[\w.-]+)(?:<[｜|]tool[▁_ ]sep[｜|]>|\s)\s*(?:```(?:json)?\s*)?/y,
        read: jsonArguments,
      },
    ],
    around:
      /<[｜|]tool[▁_ ]calls[▁_ ]begin[｜|]>|```|<[｜|]tool[▁_ ]calls?[▁_ ]end[｜|]>|<[｜|]end[▁_ ]of[▁_ ]sentence[｜|]>/,
  },
  // [TOOL_CALLS]read_file[ARGS]{…}, of Mistral
  {
    isMarked: true,
    begin: inLine(/\[TOOL_CALLS\]\s*[\w.-]+\s*(?:\[|\{)/),
    forms: [
      {
        open: /\[TOOL_CALLS\]\s*(?<name>[\w.-]+)\s*(?:\[CALL_ID\]\w+\s*)?(?:\[ARGS\])?\s*/y,
        read: jsonArguments,
      },
    ],
    around: /<\/s>/,
  },
  // <|tool_call>call:read_file{path:<|"|>a.ts<|"|>}<tool_call|>, of Gemma
  {
    isMarked: true,
    begin: inLine(/(?:<\|tool_call>|<start_function_call>)\s*call:/),
    forms: [
      {
        open: /(?:<\|tool_call>|<start_function_call>)\s*call:(?<name>[\w.-]+)\s*(?=\{)/y,
        read: markedStrings,
      },
    ],
    around: /<tool_call\|>|<end_function_call>|<turn\|>|<end_of_turn>/,
  },
  // Arguments that are tagged one by one, in the tags of many families
  {
    isMarked: true,
    begin: inLine(
      new RegExp(
        `(?:(?:${aroundTagged.source})\\s*){0,4}(?:\\]<\\]minimax\\[>\\[)?(?:${taggedCall})`,
      ),
    ),
    forms: [
      // <tool_call>read_file<arg_key>path</arg_key><arg_value>a.ts</arg_value></tool_call>, of GLM
      {
        open: new RegExp(
          `(?<name>[\\w.-]+)\\s*(?:<tool_sep${suffix}>\\s*)?(?=</?(?<prefix>${prefix})(?:arg_key|tool_call)(?<suffix>${suffix})>)`,
          "y",
        ),
        read: taggedArguments(({ prefix: before = "", suffix: after = "" }) => {
          const pattern = (name: string) => `${before.replaceAll("|", "\\|")}${name}${after}`;
          return {
            end: `</${before}tool_call${after}>`,
            open: new RegExp(
              `<${pattern("arg_key")}>\\s*([\\w-]+)\\s*</${pattern("arg_key")}>\\s*<${pattern("arg_value")}>`,
              "y",
            ),
            close: () => `</${before}arg_value${after}>`,
          };
        }),
      },
      // <function=read_file><parameter=path>a.ts</parameter></function>, of Qwen and Llama
      {
        open: /<function=(?<name>[\w.-]+)>/y,
        read: taggedArguments(() => ({
          end: "</function>",
          open: /<parameter=([\w-]+)>/y,
          close: () => "</parameter>",
        })),
      },
      // <invoke name="read_file"><parameter name="path">a.ts</parameter></invoke>
      {
        open: new RegExp(
          `<(?<prefix>${prefix})(?<tag>invoke|function) name="(?<name>[^"]+)"\\s*>`,
          "y",
        ),
        read: taggedArguments(({ prefix: own = "", tag = "" }) => {
          const field = `${own}${tag === "function" ? "param" : "parameter"}`;
          return {
            end: `</${own}${tag}>`,
            open: new RegExp(
              `<${field.replaceAll("|", "\\|")} name="([^"]+)"(?: string="(?:true|false)")?\\s*>`,
              "y",
            ),
            close: () => `</${field}>`,
          };
        }),
      },
      // The same with ]<]minimax[>[ before each tag, and arguments' names as tags
      {
        open: /\]<\]minimax\[>\[<invoke name="(?<name>[^"]+)"\s*>/y,
        read: taggedArguments(() => ({
          end: "]<]minimax[>[</invoke>",
          open: /\]<\]minimax\[>\[<([\w-]+)>/y,
          close: (field) => `]<]minimax[>[</${field}>`,
        })),
      },
      // <|tool_call:start|>read_file, <|tool_arg:start|>path<|tool_arg:value|>a.ts<|tool_arg:end|>, of Solar
      {
        open: /<\|tool_call:start\|>\s*(?<name>[\w.-]+)/y,
        read: taggedArguments(() => ({
          end: "<|tool_call:end|>",
          open: /<\|tool_arg:start\|>([\w-]+)<\|tool_arg:value\|>/y,
          close: () => "<|tool_arg:end|>",
        })),
      },
      // <|open|>call tool="read_file"<|sep|><|open|>argument key="path"<|sep|>a.ts<|close|>argument<|sep|>, of Kimi
      {
        open: /<\|open\|>call tool="(?<name>[^"]+)"(?: index="\d+")?<\|sep\|>/y,
        read: taggedArguments(() => ({
          end: "<|close|>call<|sep|>",
          open: /<\|open\|>argument key="([^"]+)"(?: type="\w+")?<\|sep\|>/y,
          close: () => "<|close|>argument<|sep|>",
        })),
      },
    ],
    around: aroundTagged,
  },
  // <tool_call>{"name": …, "arguments": …}</tool_call>, [TOOL_CALLS][{…}] and their like
  {
    isMarked: true,
    begin: inLine(new RegExp(`(?:(?:${jsonMark})\\s*){1,4}[[{]`, "i")),
    forms: [{ open: new RegExp(`(?:(?:${jsonMark})\\s*)*`, "iy"), read: jsonCalls }],
    around: new RegExp(
      `</(?:${wrapper}|s)>|<\\|(?:/tool_calls?|tool_call_end|tools_suffix|end_action|action_end|python_end|eom_id|eot_id|im_end|end|endoftext)\\|>|\\[/TOOL_CALLS?\\]|[;,]`,
      "i",
    ),
  },
  // <|tool_call_start|>[read_file(path="a.ts")]<|tool_call_end|> and its like
  {
    isMarked: true,
    begin: inLine(new RegExp(`(?:${pythonMark})\\s*${pythonCall}`)),
    forms: pythonForms,
    around: new RegExp(`${pythonMark}|</${wrapper}>|<\\|(?:tool_call_end|python_end)\\|>|[;[\\],]`),
  },
  // <read_file><path>a.ts</path></read_file>, as Roo Code and Cline have taught models to call
  {
    isMarked: false,
    begin: atLineStart(/<(?:[A-Za-z_]\w*)[\s>/]/),
    forms: [
      { open: /<(?<name>[A-Za-z_]\w*)(?=\s)/y, read: attributeArguments },
      {
        open: /<(?<name>[A-Za-z_]\w*)>/y,
        read: taggedArguments(({ name = "" }) => ({
          end: `</${name}>`,
          open: /<([A-Za-z_]\w*)>/y,
          close: (field) => `</${field}>`,
        })),
      },
    ],
    around: /<\/?(?:tool_calls?|tool_use|tools)>/,
  },
  // {"name": "read_file", "arguments": {…}}, or a list of such, with nothing around it
  {
    isMarked: false,
    begin: atLineStart(/[[{]/),
    forms: [{ open: /(?:)/y, read: jsonCalls }],
    around: /[;,]/,
  },
  // read_file {…}, read_file({…}), and Action: read_file with Action Input: {…}
  {
    isMarked: false,
    begin: atLineStart(
      // Bounded: it is tried once a line.
      /(?:(?:>>>|Action:)[ \t]*)?`?[A-Za-z_][\w.-]*`?(?:[ \t]*[:(])?\s*(?:Action Input:\s*)?\{/,
    ),
    forms: [
      {
        open: /(?:>>>|Action:)?[ \t]*`?(?<name>[A-Za-z_][\w.-]*)`?(?:[ \t]*:)?\s*(?:Action Input:\s*)?(?=\{)/y,
        read: jsonArguments,
      },
      {
        open: /(?:>>>|Action:)?[ \t]*`?(?<name>[A-Za-z_][\w.-]*)`?[ \t]*\(\s*(?:Action Input:\s*)?(?=\{)/y,
        read: jsonArguments,
        close: /\s*\);?/y,
      },
    ],
  },
  // read_file(path="a.ts"), print(default_api.read_file(…)), [read_file(…), list_files(…)]
  {
    isMarked: false,
    begin: atLineStart(new RegExp(pythonCall)),
    forms: pythonForms,
    around: /[;[\],]/,
  },
];

/** Returns a pattern for calls that begin a line. */
function atLineStart(begin: RegExp): RegExp {
  return new RegExp(`^([ \\t]*)(?:${begin.source})`, `${begin.flags}m`);
}

/** Returns a pattern for calls that may begin in the middle of a line. */
function inLine(begin: RegExp): RegExp {
  return new RegExp(`^(.*?)(?:${begin.source})`, `${begin.flags}m`);
}
