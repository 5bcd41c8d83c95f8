import { jsonValueEnd } from "../../documents/jsonValueEnd.js";
import { matchAt, readUnits, type Unit } from "./readUnits.js";
import type { TextStyle } from "./writtenCall.js";

/** Special tokens around a call's name and arguments, which the server should have parsed but has not. */
interface Tokens {
  readonly begin: RegExp;
  /** Matches everything up to the arguments; the first group is the name. */
  readonly name: RegExp;
  readonly between: RegExp;
}

function style({ begin, name, between }: Tokens): TextStyle {
  return {
    isMarked: true,
    begin: new RegExp(`^([^\\n]*?)(?:${begin.source})`, "m"),
    read: (text) =>
      readUnits(
        text,
        function* (at): Generator<Unit> {
          const [opening, called] = matchAt(name, text, at) ?? [];
          if (opening === undefined || called === undefined) return;
          const start = at + opening.length;
          const end = jsonValueEnd(text, start);
          if (end === undefined) return;
          yield { calls: [{ name: called, json: text.slice(start, end) }], end };
        },
        between,
      ),
  };
}

/** `[TOOL_CALLS]read_file[ARGS]{…}`. */
export const mistralTokens = style({
  begin: /\[TOOL_CALLS\]\s*[\w.-]+\s*(?:\[|\{)/,
  name: /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\]\w+\s*)?(?:\[ARGS\])?\s*/,
  between: /<\/s>/,
});

/** `<｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file` and the arguments in a fence, or without. */
export const deepSeekTokens = style({
  begin: /<｜tool▁calls?▁begin｜>/,
  name: /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)(?:<｜tool▁sep｜>|\s)\s*(?:```(?:json)?\s*)?/,
  between: /<｜tool▁calls▁begin｜>|```|<｜tool▁calls?▁end｜>|<｜end▁of▁sentence｜>/,
});

/** `<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. */
export const kimiTokens = style({
  begin: /<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>\s*[\w.-]+:\d+/,
  name: /<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*/,
  between: /<\|tool_calls_section_(?:begin|end)\|>|<\|tool_call_end\|>|<\|im_end\|>/,
});

/** `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{…}<|call|>`. */
export const harmonyTokens = style({
  begin:
    /(?:<\|start\|>assistant\s*)?(?:<\|channel\|>commentary\s+to=|(?:assistant)?commentary to=functions\.|<\|channel\|>analysis<\|message\|>)/,
  name: /(?:<\|channel\|>analysis<\|message\|>[^]*?<\|end\|>\s*)?(?:<\|start\|>assistant\s*)?(?:<\|channel\|>|assistant)?commentary\s+to=([\w.-]+)\s*(?:<\|channel\|>commentary)?\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*/,
  between: /<\|(?:call|end|return)\|>/,
});
