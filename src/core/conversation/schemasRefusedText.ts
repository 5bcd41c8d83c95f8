import type { AgentEvent } from "../agent/events.js";
import type { Translate } from "../text/translator.js";

/** Returns what a person is told of schemas that the server has refused. */
export function schemasRefusedText(
  { leftOut }: Pick<Extract<AgentEvent, { type: "schemasRefused" }>, "leftOut">,
  t: Translate,
): string {
  return leftOut.length === 0
    ? t("The server refuses schemas of tools, so they are sent in a simpler form.")
    : t("The server refuses these tools, so they are left out: {0}", leftOut.join(", "));
}
