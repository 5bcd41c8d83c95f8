/** Words that, right before a call, mean that the text only shows what a call looks or looked like. */
const showing =
  /\b(?:like (?:this|so|that|these)|looks|would|could|might|instead of|you|here|following|do(?:es)? not|don't|doesn't|didn't|never|cannot|can't|won't|was|were|called|failed|wrong|invalid|previous(?:ly)?|earlier|above|tried|said|wrote|written|writes|emits?|outputs?|prints?|returns?|shows?|explain|describe|demonstrate|illustrate|document|quote|mention|answer|imagine|suppose|format|notation|usage)\b/i;

/** Words that mean the same further up in the text, too. */
const example = /\b(?:examples?|e\.g|for instance|such as|syntax|placeholder)\b|如下|例如/i;

/** Words that announce an action. */
const intent =
  /\b(?:I(?:'|’)ll|I will|I(?:'|’)m going to|I am going to|I need to|I want to|I(?:'|’)d like to|let me|let(?:'|’)s|next|now|first|then|reading|checking|looking|writing|creating|editing|running|searching|listing|calling|start(?:ing)? (?:by|with))\b/i;

/**
 * Returns whether calls at the end of a text are meant as calls, judging by what stands before them: the
 * sentence right before announces an action, and none introduces an example.
 *
 * @param isMarked whether the calls use marks that nobody writes without meaning a call
 */
export function isMeant(before: string, isMarked: boolean): boolean {
  const said = before.trim();
  if (said === "") return true;
  if (/[?`"'([<>|*#_~=-]$/.test(said) || example.test(said.slice(-400))) return false;
  const sentence = said.split(/[.!?]\s+|\n+/).at(-1) ?? "";
  if (showing.test(sentence)) return false;
  // A call after a colon may be an example.
  return intent.test(sentence) || (isMarked && !said.endsWith(":"));
}
