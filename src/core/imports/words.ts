import { english as inEnglish } from "../text/translator.js";

/** A sentence for people; the template is the key to its translation, as that of a `UserError` is. */
export interface Words {
  readonly template: string;
  readonly params: Readonly<Record<string, string | number>>;
}

export function words(
  template: string,
  params: Readonly<Record<string, string | number>> = {},
): Words {
  return { template, params };
}

/** Returns the sentence in English. */
export function english({ template, params }: Words): string {
  return inEnglish(template, params);
}
