/** A placeholder, its format, and the forms of a plural; see `src/core/text/translator.ts`. */
const placeholder = /\{(\w+)(, (?:[^{}]|\{[^{}]*\})*)?\}/g;
const forms = /(\w+) \{([^{}]*)\}/g;

/**
 * Returns what is wrong with the translations of messages into a language, one line each.
 *
 * @param {string} language as in `zh-cn`
 * @param {Iterable<string>} messages
 * @param {Readonly<Record<string, string>>} translations
 * @returns {string[]}
 */
export function translationProblems(language, messages, translations) {
  const wanted = new Set(messages);
  /** @type {string[]} */
  const problems = [];
  for (const message of wanted) {
    const text = Object.hasOwn(translations, message) ? translations[message] : undefined;
    if (text === undefined || text.trim() === "") problems.push(`missing: ${message}`);
    else problems.push(...problemsOf(language, message, text));
  }
  for (const message of Object.keys(translations)) {
    if (!wanted.has(message)) problems.push(`unused: ${message}`);
  }
  return problems;
}

/**
 * Returns what is wrong with one message or its translation.
 *
 * @param {string} language
 * @param {string} message
 * @param {string} text
 * @returns {string[]}
 */
function problemsOf(language, message, text) {
  const [own, theirs] = [placeholders(message), placeholders(text)];
  const problems = [...own.keys()]
    .filter((name) => !theirs.has(name))
    .map((name) => `lacks {${name}}`);
  for (const [name, format] of theirs) {
    if (!own.has(name)) problems.push(`has {${name}}, which the message has not`);
    problems.push(...pluralProblems(language, format));
  }
  if (/[{}]/.test(text.replace(placeholder, ""))) problems.push("has a brace of its own");
  return problems.map((problem) => `${problem}: ${message} → ${text}`);
}

/** Returns the names of a message's placeholders, with all their formats. @param {string} text */
function placeholders(text) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [, name = "", format = ""] of text.matchAll(placeholder)) {
    found.set(name, (found.get(name) ?? "") + format);
  }
  return found;
}

/**
 * Returns what is wrong with the plurals of one placeholder: a form that the language does not have, or a missing one.
 * The form `other` comes last, because it stands for those that are left out.
 *
 * @param {string} language
 * @param {string} format all formats of the placeholder
 * @returns {string[]}
 */
function pluralProblems(language, format) {
  const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  // Spanish and French have a form for millions, which nothing of ours counts.
  const needed = known.filter((category) => category !== "many" || known.length > 3);
  return format
    .split(", plural,")
    .slice(1)
    .flatMap((plural) => {
      const names = [...plural.matchAll(forms)].map(([, name = ""]) => name);
      const unknown = names.filter((name) => !known.includes(/** @type {any} */ (name)));
      const missing = needed.filter((name) => !names.includes(name));
      return [
        ...unknown.map((name) => `has the form ${name}, which ${language} has not`),
        ...missing.map((name) => `lacks the form ${name}`),
        ...(names.at(-1) === "other" ? [] : ["does not end with the form other"]),
      ];
    });
}
