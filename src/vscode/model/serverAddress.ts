import type { Translate } from "../../core/text/translator.js";
/** Returns why a text is no address of a server; `undefined` if it is one, or empty. */
export function addressProblem(text: string, t: Translate): string | undefined {
  const address = text.trim();
  if (address.includes("{")) return t("Put your resource's name in place of {RESOURCE}");
  return address === "" || /^https?:\/\/[^\s/?#]+/i.test(address)
    ? undefined
    : t("An address begins with http:// or https://");
}
