import { UserError } from "../../core/errors.js";
import { visibleText } from "../../core/text/visibleText.js";

/** The most characters that a link may put into the input. */
const mostText = 10_000;

/**
 * Returns the text of an `/ask?text=…` link, with hidden characters made visible; `undefined` for any other link.
 * Throws a {@link UserError} if it is too long to be read before it is sent.
 *
 * @param query as VS Code gives it, already decoded: everything after `text=` is the text
 */
export function linkText(path: string, query: string): string | undefined {
  const [, text = ""] = /^text=([\s\S]*)$/.exec(query) ?? [];
  if (path !== "/ask" || text.trim() === "") return undefined;
  if (text.length > mostText) {
    throw new UserError(
      "linkTooLong",
      "The link's text is longer than {most} characters. Make it shorter.",
      {
        most: mostText,
      },
    );
  }
  return visibleText(text.replaceAll("\r\n", "\n"));
}
