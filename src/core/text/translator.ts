/** What a placeholder of a message stands for. */
export type MessageValue = string | number;

/** Values by the names of their placeholders. */
type NamedValues = Readonly<Record<string, MessageValue>>;

/**
 * Returns a message in a person's language. The message is its English form, which is the key of its translations, too.
 * `{0}` stands for the first value, `{name}` for the value of that name if the values are named; `{0, number}` for a
 * number as the language writes it; and `{0, plural, one {# file} other {# files}}` for the form that belongs to the
 * number, in which `#` is that number. A placeholder without a value stays as it is.
 */
export interface Translate {
  (message: string, ...values: MessageValue[]): string;
  (message: string, values: NamedValues): string;
}

/** Translations by their English messages. */
export type Messages = Readonly<Record<string, string>>;

/** Returns its argument. Marks a message that is translated elsewhere, where a person reads it. */
export function translatable<const Message extends string>(message: Message): Message {
  return message;
}

/** A placeholder: its name, and how it is formatted. The forms of a plural hold no placeholders. */
const placeholder = /\{(\w+)(, (?:[^{}]|\{[^{}]*\})*)?\}/g;

/**
 * Returns what translates into a language.
 *
 * @param language a language tag, as in `zh-cn`
 * @param messages what is not in them stays English
 */
export function translator(language: string, messages: Messages): Translate {
  return (message: string, ...values: (MessageValue | NamedValues)[]) => {
    const [first] = values;
    const named = (typeof first === "object" ? first : values) as NamedValues;
    const own = Object.hasOwn(messages, message) ? messages[message] : undefined;
    return filled(own ?? message, named, own === undefined ? "en" : language);
  };
}

/** Returns a message in English, for what is stored and for what a model reads. */
export const english: Translate = translator("en", {});

/** Fills the placeholders in one pass, so that braces in values stay as they are. */
function filled(message: string, values: NamedValues, language: string): string {
  return message.replace(placeholder, (all, name: string, format?: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return all;
    if (format === undefined) return String(value);
    const number = Number(value).toLocaleString(language);
    const category = new Intl.PluralRules(language).select(Number(value));
    // The form `other` is the last one.
    const [, form] = new RegExp(` (?:${category}|other) {([^{}]*)}`).exec(format) ?? [];
    return form?.replaceAll("#", number) ?? number;
  });
}
