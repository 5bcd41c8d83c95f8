/** Whoever writes one of these right before a call shows what one looks like, or looked like. */
const showing =
  /\b(?:like (?:this|so|that|these)|looks|would|could|might|instead of|you|here|following|do(?:es)? not|don't|doesn't|didn't|never|cannot|can't|won't|was|were|called|failed|wrong|invalid|previous(?:ly)?|earlier|above|tried|said|wrote|written|writes|emits?|outputs?|prints?|returns?|shows?|explain|describe|demonstrate|illustrate|document|quote|mention|answer|imagine|suppose|format|notation|usage)\b/i;

/** These further up, too. */
const example = /\b(?:examples?|e\.g|for instance|such as|syntax|placeholder)\b|如下|例如/i;

/** Whoever writes one of these is about to act. */
const intent =
  /\b(?:I(?:'|’)ll|I will|I(?:'|’)m going to|I am going to|I need to|I want to|I(?:'|’)d like to|let me|let(?:'|’)s|next|now|first|then|reading|checking|looking|writing|creating|editing|running|searching|listing|calling|start(?:ing)? (?:by|with))\b/i;

/**
 * Whether calls that end a text are meant as calls, going by what stands before them: the sentence
 * right before says what is about to be done, and none shows what could be.
 *
 * @param isMarked they are made of marks that nobody writes who does not mean a call
 */
export function isMeant(before: string, isMarked: boolean): boolean {
  const said = before.trim();
  if (said === "") return true;
  if (/[?`"'([<>|*#_~=-]$/.test(said) || example.test(said.slice(-400))) return false;
  const sentence = said.split(/[.!?]\s+|\n+/).at(-1) ?? "";
  if (showing.test(sentence)) return false;
  // What a colon introduces may be shown.
  return intent.test(sentence) || (isMarked && !said.endsWith(":"));
}
