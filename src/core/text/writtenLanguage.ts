/**
 * The languages in which code writes into documents. A document is written in its own language, that of what a person has
 * said in it, which need not be that of whoever reads it: so its sentences are no messages of l10n.
 */
export type WrittenLanguage = "en" | "de" | "es" | "ja" | "zh";

/** What code writes, by language; `{0}` in a sentence stands for the first value of {@link filled}. */
export type Written<Sentences> = Readonly<Record<WrittenLanguage, Sentences>>;

/** Words that are frequent in one of these languages, and none in the others. */
const frequent = {
  en: "the and of is for with that this from are be it",
  de: "der die das und ist nicht mit für ein eine den von zu auf im soll bitte",
  es: "el la los las que y un una por con para del en se es al",
} as const;

/** Returns the language of a text; English where it is none of the others. */
export function writtenLanguage(text: string): WrittenLanguage {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(/\p{Script=Han}/gu);
  const words = text.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  // A sign says about as much as half a word.
  if (kana + han > words.length / 2) return kana > han / 10 ? "ja" : "zh";
  const score = (language: keyof typeof frequent) => {
    const own = new Set(frequent[language].split(" "));
    return words.filter((word) => own.has(word)).length;
  };
  const [de, es, en] = [score("de"), score("es"), score("en")];
  return de > Math.max(es, en) ? "de" : es > en ? "es" : "en";
}

/** Returns a sentence with its values in their places. */
export function filled(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? ""));
}
