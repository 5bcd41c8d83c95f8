import { jsonArguments, jsonCalls } from "./jsonCalls.js";
import { pythonArguments } from "./pythonArguments.js";
import type { TextStyle } from "./style.js";
import { escapedArguments } from "./escapedArguments.js";
import { attributeArguments, taggedArguments } from "./taggedArguments.js";

/** The prefix of tag names: `antml:`, DeepSeek's `｜DSML｜`, or none. */
const prefix = /(?:[a-z]+:|[｜|]{1,2}DSML[｜|]{1,2})?/.source;
const invokeWrapper = new RegExp(
  `</?${prefix}(?:function_calls|tool_calls?|tool_use|calls)>?|<｜tool_calls?_(?:begin|end)｜>|function<｜tool_sep｜>`,
);

/** What stands before calls that are JSON, and behind them, besides the brackets of {@link invokeWrapper}. */
const jsonMark =
  /<(?:tool_?calls?|tool_use|function_calls?|functioncall)>|<\|(?:tool_calls?|tool_call_start|tool_call_begin|python_tag|python_start|START_ACTION|tools_prefix)\|>|<\|action_start\|>\s*<\|plugin\|>|\[TOOL_CALLS?\]|\[unused11\]|-> tool\/function_call\b|function call<\|role_sep\|>|\bfunctools(?=\[)/i;
const jsonEnd =
  /<\/(?:tool_calls?|TOOLCALL|tool_use|function_calls?|functioncall|s)>|<\|(?:\/tool_calls?|tool_call_end|python_end|action_end|END_ACTION|tools_suffix|eom_id|eot_id|im_end|end|endoftext)\|>|\[\/TOOL_CALLS?\]|\[unused12\]|[;,]/;

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
        open: /(?:<\|channel\|>analysis<\|message\|>[^]*?<\|end\|>\s*)?(?:<\|start\|>assistant\s*)?(?:<\|channel\|>|assistant)?commentary\s+to=(?<name>[\w.-]+)\s*(?:<\|channel\|>commentary)?\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*/,
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
        open: /<\|tool_call_begin\|>\s*(?<name>[\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*/,
        read: jsonArguments,
      },
    ],
    around: /<\|tool_calls_section_(?:begin|end)\|>|<\|tool_call_end\|>|<\|im_end\|>/,
  },
  // <｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file and the arguments in a fence, or without; of DeepSeek
  {
    isMarked: true,
    begin: inLine(/<｜tool▁calls?▁begin｜>/),
    forms: [
      {
        open: /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(?<name>[\w.-]+)(?:<｜tool▁sep｜>|\s)\s*(?:```(?:json)?\s*)?/,
        read: jsonArguments,
      },
    ],
    around: /<｜tool▁calls▁begin｜>|```|<｜tool▁calls?▁end｜>|<｜end▁of▁sentence｜>/,
  },
  // [TOOL_CALLS]read_file[ARGS]{…}, of Mistral
  {
    isMarked: true,
    begin: inLine(/\[TOOL_CALLS\]\s*[\w.-]+\s*(?:\[|\{)/),
    forms: [
      {
        open: /\[TOOL_CALLS\]\s*(?<name>[\w.-]+)\s*(?:\[CALL_ID\]\w+\s*)?(?:\[ARGS\])?\s*/,
        read: jsonArguments,
      },
    ],
    around: /<\/s>/,
  },
  // <tool_call>read_file<arg_key>path</arg_key><arg_value>a.ts</arg_value></tool_call>, of GLM; LongCat's begin
  // with longcat_
  {
    isMarked: true,
    begin: atLineStart(/<(?:longcat_)?tool_call>\s*[\w.-]+\s*<(?:longcat_)?arg_key>/),
    forms: [
      {
        open: /<(?<own>longcat_)?tool_call>\s*(?<name>[\w.-]+)\s*(?=<\k<own>arg_key>)/,
        read: taggedArguments(({ own = "" }) => ({
          end: `</${own}tool_call>`,
          open: new RegExp(`<${own}arg_key>\\s*([\\w-]+)\\s*</${own}arg_key>\\s*<${own}arg_value>`),
          close: () => `</${own}arg_value>`,
        })),
      },
    ],
  },
  // <function=read_file><parameter=path>a.ts</parameter></function>, of Qwen and Llama
  {
    isMarked: true,
    begin: atLineStart(/(?:<(?:seed:)?tool_call>\s*)?<function=[\w.-]+>/),
    forms: [
      {
        open: /<function=(?<name>[\w.-]+)>/,
        read: taggedArguments(() => ({
          end: "</function>",
          open: /<parameter=([\w-]+)>/,
          close: () => "</parameter>",
        })),
      },
    ],
    around: /<\/?(?:seed:)?tool_calls?>/,
  },
  // <function name="read_file"><param name="path">a.ts</param></function>, of MiniCPM
  {
    isMarked: true,
    begin: atLineStart(/<function name="/),
    forms: [
      {
        open: /<function name="(?<name>[^"]+)"\s*>/,
        read: taggedArguments(() => ({
          end: "</function>",
          open: /<param name="([^"]+)"\s*>/,
          close: () => "</param>",
        })),
      },
    ],
  },
  // <start_function_call>call:read_file{path:<escape>a.ts<escape>}<end_function_call>, and <|tool_call>call:… with
  // other marks, of Gemma
  {
    isMarked: true,
    begin: atLineStart(/(?:<start_function_call>|<\|tool_call>)\s*call:/),
    forms: [
      {
        open: /(?:<start_function_call>|<\|tool_call>)\s*call:(?<name>[\w.-]+)\s*(?=\{)/,
        read: escapedArguments,
      },
    ],
  },
  // <invoke name="read_file"><parameter name="path">a.ts</parameter></invoke>
  {
    isMarked: true,
    begin: atLineStart(new RegExp(`(?:(?:${invokeWrapper.source})\\s*)*<${prefix}invoke name="`)),
    forms: [
      {
        open: new RegExp(`<(?<prefix>${prefix})invoke name="(?<name>[^"]+)"\\s*>`),
        read: taggedArguments(({ prefix: own = "" }) => ({
          end: `</${own}invoke>`,
          open: new RegExp(
            `<${own.replaceAll("|", "\\|")}parameter name="([^"]+)"(?: string="(?:true|false)")?\\s*>`,
          ),
          close: () => `</${own}parameter>`,
        })),
      },
    ],
    around: invokeWrapper,
  },
  // <tool_call>{"name": …, "arguments": …}</tool_call>, [TOOL_CALLS][{…}] and their like
  {
    isMarked: true,
    begin: inLine(new RegExp(`(?:${jsonMark.source})\\s*[[{]`, "i")),
    forms: [{ open: new RegExp(`(?:(?:${jsonMark.source})\\s*)*`, "i"), read: jsonCalls }],
    around: jsonEnd,
  },
  // <read_file><path>a.ts</path></read_file>, as Roo Code and Cline have taught models to call
  {
    isMarked: false,
    begin: atLineStart(/<(?:[A-Za-z_]\w*)[\s>/]/),
    forms: [
      { open: /<(?<name>[A-Za-z_]\w*)(?=\s)/, read: attributeArguments },
      {
        open: /<(?<name>[A-Za-z_]\w*)>/,
        read: taggedArguments(({ name = "" }) => ({
          end: `</${name}>`,
          open: /<([A-Za-z_]\w*)>/,
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
    forms: [{ open: /(?:)/, read: jsonCalls }],
    around: /[;,]/,
  },
  // read_file {…}, read_file({…}), and Action: read_file with Action Input: {…}
  {
    isMarked: false,
    begin: atLineStart(
      /(?:>>>|Action:)?[ \t]*`?[A-Za-z_][\w.-]*`?[ \t]*[:(]?\s*(?:Action Input:\s*)?\{/,
    ),
    forms: [
      {
        open: /(?:>>>|Action:)?[ \t]*`?(?<name>[A-Za-z_][\w.-]*)`?[ \t]*:?\s*(?:Action Input:\s*)?(?=\{)/,
        read: jsonArguments,
      },
      {
        open: /(?:>>>|Action:)?[ \t]*`?(?<name>[A-Za-z_][\w.-]*)`?[ \t]*\(\s*(?:Action Input:\s*)?(?=\{)/,
        read: jsonArguments,
        close: /\s*\);?/,
      },
    ],
  },
  // read_file(path="a.ts"), print(default_api.read_file(…)), [read_file(…), list_files(…)]
  {
    isMarked: false,
    begin: atLineStart(
      /(?:<\|tool_call_start\|>|<\|python_(?:tag|start)\|>|<function_calls>)?\s*\[?(?:print\(\s*)?[A-Za-z_][\w.]*\(\s*(?:\w+\s*=|\))/,
    ),
    forms: [
      { open: /(?<name>[A-Za-z_][\w.]*)\(/, read: pythonArguments },
      { open: /print\(\s*(?<name>[A-Za-z_][\w.]*)\(/, read: pythonArguments, close: /\s*\)/ },
    ],
    around:
      /<\|(?:tool_call_start|tool_call_end|python_(?:tag|start|end))\|>|<\/?function_calls>|[;[\],]/,
  },
];

/** Returns a pattern for calls that begin a line. */
function atLineStart(begin: RegExp): RegExp {
  return new RegExp(`^([ \\t]*)(?:${begin.source})`, `${begin.flags}m`);
}

/** Returns a pattern for calls that may begin in the middle of a line. */
function inLine(begin: RegExp): RegExp {
  return new RegExp(`^([^\\n]*?)(?:${begin.source})`, `${begin.flags}m`);
}
