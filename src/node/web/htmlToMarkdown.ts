import type { FormatCallback, HtmlToTextOptions, SelectorDefinition } from "html-to-text";

/** Limits of size, nesting and width that no page for readers exceeds. */
const limits = { maxInputLength: 2_000_000, maxDepth: 100, maxChildNodes: 50_000 };

/** The most tags that are read: the parser's time grows with the square of how deep they nest. */
const maxTags = 30_000;

type Element = Parameters<FormatCallback>[0];

/**
 * Converts the readable part of a page to Markdown. Takes a second at most, whatever the page is.
 *
 * @param address the page's own address, against which its links are resolved
 */
export async function htmlToMarkdown(page: string, address: string): Promise<string> {
  const { compile } = await import("html-to-text");
  const html = firstTags(page);
  const title = /<title[^>]{0,100}>([^<]{1,300})/i.exec(html)?.[1] ?? "";
  const text = compile(optionsFor(address))(html).trim();
  const head = compile({ wordwrap: false })(title).replace(/\s+/g, " ").trim();
  return head === "" || text.startsWith(`# ${head}`) ? text : `Title: ${head}\n\n${text}`;
}

function firstTags(html: string): string {
  let at = -1;
  for (let tags = 0; tags < maxTags; tags++) {
    at = html.indexOf("<", at + 1);
    if (at < 0) return html;
  }
  return html.slice(0, at);
}

function optionsFor(address: string): HtmlToTextOptions {
  return {
    wordwrap: false,
    limits,
    baseElements: {
      selectors: ["main", "[role=main]", "article", "body"],
      orderBy: "selectors",
      returnDomByDefault: true,
    },
    formatters: formattersFor(address),
    selectors: [
      ...inFormat("heading", ["h1", "h2", "h3", "h4", "h5", "h6"]),
      ...inFormat("code", ["code", "kbd", "samp"]),
      ...inFormat("block", ["dt", "dd", "figcaption", "summary"]),
      ...inFormat("skip", skipped),
      { selector: "pre", format: "fence" },
      { selector: "a", format: "link" },
      { selector: "ul", format: "unorderedList", options: { itemPrefix: "- " } },
      { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
    ],
  };
}

/**
 * Elements that have nothing to read, do not belong to this page, or are not visible to a person who looks at it.
 */
const skipped: readonly string[] = [
  "title",
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "img",
  "nav",
  "aside",
  "form",
  "button",
  "select",
  "[hidden]",
  "body > header",
  "body > footer",
];

function inFormat(format: string, names: readonly string[]): SelectorDefinition[] {
  return names.map((selector) => ({ selector, format }));
}

/** Returns how headings, code and links become Markdown. */
function formattersFor(address: string): Record<string, FormatCallback> {
  return {
    heading: (element, walk, builder) => {
      builder.openBlock({ leadingLineBreaks: 2 });
      builder.addLiteral(`${"#".repeat(Number(element.name?.[1] ?? 1))} `);
      walk(element.children, builder);
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
    fence: (element, walk, builder) => {
      builder.openBlock({ isPre: true, leadingLineBreaks: 2 });
      builder.addLiteral("```\n");
      walk(element.children, builder);
      builder.addLiteral("\n```");
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
    code: (element, walk, builder) => {
      const mark = isIn(element, "pre") ? "" : "`";
      builder.addLiteral(mark);
      walk(element.children, builder);
      builder.addLiteral(mark);
    },
    link: (element, walk, builder) => {
      const target = linkTarget(element, address);
      if (target !== undefined) builder.addLiteral("[");
      walk(element.children, builder);
      if (target !== undefined) builder.addLiteral(`](${target})`);
    },
  };
}

/**
 * Returns a link's absolute target; `undefined` for links within the page and for anything but web
 * addresses.
 */
function linkTarget(element: Element, address: string): string | undefined {
  const { href = "" } = element.attribs as { href?: string };
  if (href === "" || href.startsWith("#") || !URL.canParse(href, address)) return undefined;
  const url = new URL(href, address);
  return /^https?:$/.test(url.protocol) ? url.href.replaceAll(")", "%29") : undefined;
}

function isIn(element: Element, name: string): boolean {
  for (let at = element.parent; at; at = at.parent)
    if ("name" in at && at.name === name) return true;
  return false;
}
