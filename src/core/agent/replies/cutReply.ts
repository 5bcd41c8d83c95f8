import type { Cut } from "../../ports/messages.js";
import { type Said, words } from "../../text/words.js";

/** Returns what a model is told of its reply that was cut, of which so many calls were whole. */
export function cutMessage(cut: Cut, calls: number): string {
  const why = {
    length: "Your reply reached the output limit and was cut.",
    filtered: "The server's content filter ended your reply.",
    overflowed: "Your reply filled the context window and was cut.",
  }[cut];
  const done =
    calls === 0
      ? "Nothing of it was carried out or delivered."
      : `Its first ${calls === 1 ? "call was" : `${calls} calls were`} complete and carried out, with the results above; whatever you began after that was not.`;
  const next =
    cut === "filtered"
      ? "Go on in other words, or without what it objects to."
      : "Go on with less in one reply: write a large file in several parts, one call each, and make long answers shorter.";
  return `${why} ${done} ${next}`;
}

/** Returns what a person is told when an agent is given up after so many cut replies. */
export function cutFailure(cut: Cut, times: number, model: string, tokens?: number): Said {
  if (cut === "filtered") {
    return words(
      "The content filter of the model's server ended the replies of {model}, {times, plural, one {# time} other {# times}}. Word the request in another way, or choose another model.",
      { model, times },
    );
  }
  if (cut === "overflowed") {
    return words(
      "The replies of {model} filled its context window, {times, plural, one {# time} other {# times}}. Start a new task, or use a model with a larger context.",
      { model, times },
    );
  }
  return tokens === undefined
    ? words(
        'The replies of {model} were cut at the output limit, {times, plural, one {# time} other {# times}}. Raise the limit (setting "rooroo.model.maxOutputTokens"), or ask for less at once.',
        { model, times },
      )
    : words(
        'The replies of {model} were cut at the output limit, {times, plural, one {# time} other {# times}}; the last had {tokens} tokens. Raise the limit (setting "rooroo.model.maxOutputTokens"), or ask for less at once.',
        { model, times, tokens },
      );
}
