import type { PartsRefused } from "../../ports/model.js";
import type { Translate } from "../../text/translator.js";

/** Returns the notice for a person that the server has refused parts of a request. */
export function partsRefusedText({ what, leftOut }: PartsRefused, t: Translate): string {
  const names = leftOut.join(", ");
  if (names === "") {
    return t("The server refuses schemas of tools, so they are sent in a simpler form.");
  }
  return what === "images"
    ? t("The server refuses these images, so they are left out: {0}", names)
    : t("The server refuses these tools, so they are left out: {0}", names);
}
