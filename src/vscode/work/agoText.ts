import type { Translate } from "../../core/text/translator.js";
/**
 * Says how long ago something was, as in `12 min ago`; after a week, on which date.
 *
 * @param at milliseconds since the epoch; 0: unknown, and the text is empty
 */
export function agoText(at: number, now: number, t: Translate): string {
  if (at === 0) return "";
  const minutes = Math.max(0, Math.floor((now - at) / 60_000));
  if (minutes < 1) return t("just now");
  if (minutes < 60) return t("{0} min ago", minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t("{0} h ago", hours);
  const days = Math.floor(hours / 24);
  return days < 7
    ? t("{0, plural, one {# day ago} other {# days ago}}", days)
    : new Date(at).toLocaleDateString();
}
