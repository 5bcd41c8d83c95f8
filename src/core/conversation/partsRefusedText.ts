import type { AgentEvent } from "../agent/events.js";
import type { Translate } from "../text/translator.js";

/** Returns what a person is told of what the server has refused of a request. */
export function partsRefusedText(
  { what, leftOut }: Pick<Extract<AgentEvent, { type: "partsRefused" }>, "what" | "leftOut">,
  t: Translate,
): string {
  const names = leftOut.join(", ");
  if (names === "") {
    return t("The server refuses schemas of tools, so they are sent in a simpler form.");
  }
  return what === "images"
    ? t("The server refuses these images, so they are left out: {0}", names)
    : t("The server refuses these tools, so they are left out: {0}", names);
}
