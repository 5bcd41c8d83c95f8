import { createRequire } from "node:module";
import { dirname } from "node:path";
import { parentPort } from "node:worker_threads";
import { getDocumentProxy } from "unpdf";
import type { PdfText } from "../../core/ports/pdf.js";

/** The thread's answer to the bytes of a PDF. */
export type PdfAnswer =
  | PdfText
  | { readonly problem: "broken" | "password"; readonly said: string };

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The most characters of all pages together: about 1,000 pages. */
const mostCharacters = 3_000_000;

/**
 * The folder of character maps, by which text in Chinese, Japanese and Korean fonts that are not embedded is read. In a
 * bundle it lies beside this file.
 */
const characterMaps =
  typeof __dirname === "string"
    ? `${__dirname}/cmaps/`
    : `${dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"))}/cmaps/`;

// This runs in its own thread: a PDF is a program of pages, which may take any time and memory.
parentPort?.on("message", (bytes: Uint8Array) => {
  textOf(bytes).then(
    (answer) => parentPort?.postMessage(answer),
    (error: unknown) => {
      const { name, message } = error as Error;
      const problem = name === "PasswordException" ? "password" : "broken";
      parentPort?.postMessage({ problem, said: message } satisfies PdfAnswer);
    },
  );
});

async function textOf(bytes: Uint8Array): Promise<PdfAnswer> {
  const document = await getDocumentProxy(bytes, {
    verbosity: 0,
    cMapUrl: characterMaps,
    cMapPacked: true,
  });
  try {
    const { numPages: total } = document;
    const pages: string[] = [];
    const damaged: number[] = [];
    let failure: unknown;
    let room = mostCharacters;
    for (let number = 1; number <= total && room > 0; number++) {
      let text = "";
      try {
        text = await textOfPage(document, number);
      } catch (error) {
        failure ??= error;
        damaged.push(number);
      }
      // A page that is cut would look like a whole one.
      if (text.length > room && pages.length > 0) break;
      pages.push(text.slice(0, room));
      room -= text.length;
    }
    if (total > 0 && damaged.length === total) throw failure;
    return { pages, total, damaged };
  } finally {
    await document.destroy();
  }
}

async function textOfPage(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  try {
    const { items } = await page.getTextContent();
    const text = items
      .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
      .join("");
    // Without them the text is still worth reading.
    const annotations = await page.getAnnotations().catch(() => []);
    const added = (annotations as readonly Annotation[]).flatMap((one) => lineOf(one) ?? []);
    return added.length === 0 ? text : `${text.trimEnd()}\n${added.join("\n")}`;
  } finally {
    page.cleanup();
  }
}

/** What lies on a page and is not in its text: a field of a form, or a note. Any field may be missing. */
interface Annotation {
  readonly subtype?: string;
  readonly hidden?: boolean;
  readonly password?: boolean;
  readonly fieldName?: string;
  /** The field's label for people, as in `Your name`. */
  readonly alternativeText?: string;
  /** `Off` for a box that is not checked. */
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: string };
}

/** Returns what is filled in or noted, as in `[Field Your name: Ada]`; `undefined` for anything else. */
function lineOf(annotation: Annotation): string | undefined {
  const { subtype = "", hidden, password, fieldValue, contentsObj } = annotation;
  if (subtype === "Widget") {
    const values = [fieldValue].flat().filter((one) => typeof one === "string" && one !== "");
    const value = values.join(", ");
    if (hidden === true || password === true || value === "" || value === "Off") return undefined;
    const name = [annotation.alternativeText, annotation.fieldName].find(Boolean) ?? "";
    return `[Field ${name}: ${value}]`;
  }
  const note = contentsObj?.str?.trim() ?? "";
  return note === "" || subtype === "Link" || subtype === "Popup" ? undefined : `[Note: ${note}]`;
}
