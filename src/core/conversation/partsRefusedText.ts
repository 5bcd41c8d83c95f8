import type { AgentEvent } from "../agent/events.js";
import type { Translate } from "../text/translator.js";

/** Returns what a person is told of what the server has refused of a request. */
export function partsRefusedText(
  { what, leftOut }: Pick<Extract<AgentEvent, { type: "partsRefused" }>, "what" | "leftOut">,
  t: Translate,
): string {
  if (what === "images") {
    return t(
      "The server does not take these images, so they are left out; they may be damaged or too large: {0}",
      leftOut.join(", "),
    );
  }
  return leftOut.length === 0
    ? t("The server refuses schemas of tools, so they are sent in a simpler form.")
    : t("The server refuses these tools, so they are left out: {0}", leftOut.join(", "));
}
