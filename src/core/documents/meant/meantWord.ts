/**
 * Words that models write for one another, in the languages that they write in: each row has one meaning. A row holds
 * whole answers only, so that "not done" or "partly completed" mean nothing here.
 */
const sameMeaning = {
  done: [
    "Done",
    "Succeeded",
    "SUCCESS",
    "Successful",
    "Completed",
    "Complete",
    "Finished",
    "OK",
    "完成",
    "已完成",
    "成功",
    "完了",
    "완료",
    "erledigt",
    "fertig",
    "abgeschlossen",
    "hecho",
    "completado",
    "terminado",
    "terminé",
    "concluído",
    "готово",
    "выполнено",
  ],
  failed: [
    "Failed",
    "Failure",
    "Fail",
    "Error",
    "Errored",
    "失败",
    "失敗",
    "실패",
    "fehlgeschlagen",
    "gescheitert",
    "fallido",
    "échec",
    "échoué",
    "falhou",
    "ошибка",
  ],
  asks: [
    "NeedsClarification",
    "Need Clarification",
    "Clarification",
    "Clarification Needed",
    "Clarification Required",
    "Requires Clarification",
    "需要澄清",
    "需要说明",
    "要確認",
    "Klärung nötig",
    "necesita aclaración",
  ],
  advises: ["Advice", "Advise", "Advises", "建议", "建議", "助言", "Empfehlung", "consejo"],
  skipped: ["Skipped", "Closed", "Cancelled", "Canceled", "Aborted"],
  pending: ["Pending", "In Progress", "Paused", "进行中", "進行中", "保留"],
  plans: ["plan", "planning", "计划", "規劃", "計画", "planen", "planificar"],
  acknowledges: ["acknowledge", "acknowledged", "acknowledgement"],
  clarifies: ["clarify", "clarification", "clarifying"],
  brainstorms: ["brainstorm", "brainstorming"],
  queues: ["queue", "queued", "enqueue"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Returns a text without what spellings differ in: case, width, accents' form, blanks, marks, separators. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const rows = Object.values(sameMeaning).map((row) => new Set(row.map(plain)));

/** Returns the only one of the words that is spelled so, whatever its case and separators; `undefined` if none is. */
export function spelledWord(given: string, words: readonly string[]): string | undefined {
  if (words.includes(given)) return given;
  const text = plain(given);
  return text === "" ? undefined : only(words, (word) => plain(word) === text);
}

/** Returns the word that is spelled so, or the only one with the meaning of a text; `undefined` if that is not certain. */
export function meantWord(given: string, words: readonly string[]): string | undefined {
  const spelled = spelledWord(given, words);
  if (spelled !== undefined) return spelled;
  const meaning = rows.filter((row) => row.has(plain(given)));
  return only(words, (word) => meaning.some((row) => row.has(plain(word))));
}

/** An expert, as a model is told of it. */
export interface NamedExpert {
  readonly slug: string;
  readonly name: string;
}

/**
 * Returns the slug of the expert that a name means, by slug or display name, however it is spelled, with `rooroo-` or
 * without; `undefined` if none or more than one is meant.
 */
export function meantExpert(given: string, experts: readonly NamedExpert[]): string | undefined {
  if (experts.some(({ slug }) => slug === given)) return given;
  const text = plain(given).replace("analyser", "analyzer");
  if (text === "") return undefined;
  const named = (spelled: (name: string) => string): string | undefined =>
    only(experts, ({ slug, name }) => [slug, name].some((one) => spelled(one) === spelled(text)))
      ?.slug;
  return named(plain) ?? named((name) => plain(name).replace(/^rooroo|(?:expert|mode)$/g, ""));
}

function only<T>(all: readonly T[], isMeant: (one: T) => boolean): T | undefined {
  const [found, ...more] = all.filter(isMeant);
  return more.length === 0 ? found : undefined;
}
