/**
 * Formats a value for people, in their language.
 *
 * @param step the width of the bin that begins with the value, if there is one
 */
export function valueText(
  value: number | string,
  step: number | undefined,
  language: string,
): string {
  if (typeof value === "string") return value;
  const size = Math.abs(value);
  const format = new Intl.NumberFormat(
    language,
    size >= 1e15 || (size !== 0 && size < 1e-4)
      ? { notation: "scientific", maximumSignificantDigits: 4 }
      : size >= 1000
        ? { maximumFractionDigits: 2 }
        : { maximumSignificantDigits: 6 },
  );
  const text = (shown: number) => withMinus(format.format(shown));
  if (step === undefined) return text(value);
  return `${text(value)}–${text(Number((value + step).toPrecision(12)))}`;
}

/** Formats a number briefly enough for the label of a bar. */
export function shortText(value: number, language: string): string {
  const size = Math.abs(value);
  const format = new Intl.NumberFormat(
    language,
    size >= 1e6
      ? { notation: "compact", maximumFractionDigits: 1 }
      : size >= 1000
        ? { maximumFractionDigits: 0 }
        : { maximumSignificantDigits: 4 },
  );
  return withMinus(format.format(value));
}

/** Replaces a leading hyphen by a minus sign: a hyphen is too short to be seen before a number. */
function withMinus(text: string): string {
  return text.replace(/^-/, "\u2212");
}
