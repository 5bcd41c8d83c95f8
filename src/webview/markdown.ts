import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

// A module of its own, because it is the larger half of the page's script and an empty conversation does
// not need it.

let parser: ReturnType<typeof newParser> | undefined;

/** Creates the parser, only for the first text: it builds large expressions, which would delay the page. */
function newParser() {
  const markdown = new MarkdownIt({ html: false, linkify: true });
  markdown.validateLink = (url) =>
    /^(https?:\/\/|mailto:)/i.test(url) || !/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url.trim());
  // An image would be fetched from elsewhere as soon as it is shown: it becomes a link instead.
  markdown.renderer.rules["image"] = (tokens, index) => {
    const url = String(tokens[index]?.attrGet("src") ?? "");
    const label = tokens[index]?.content.trim() ?? "";
    const { escapeHtml } = markdown.utils;
    return `<a href="${escapeHtml(url)}">${escapeHtml(label === "" ? url : label)}</a>`;
  };
  return markdown;
}

/**
 * Renders Markdown as HTML, one string for each top-level block, so that while a text grows only the blocks
 * that have changed are redrawn. Raw HTML is shown as text. The result must be sanitised all the same.
 */
export function markdownBlocks(text: string): string[] {
  const markdown = (parser ??= newParser());
  const environment = {};
  const tokens = markdown.parse(text, environment);
  const levels = headingLevels(tokens);
  const blocks: string[] = [];
  let block: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    block.push(adapted(token, levels));
    depth += token.nesting;
    if (depth > 0) continue;
    blocks.push(markdown.renderer.render(block, markdown.options, environment));
    block = [];
  }
  return blocks;
}

/** Returns the tags of the headings in use, highest first. */
function headingLevels(tokens: readonly Token[]): readonly string[] {
  const tags = tokens.filter(({ type }) => type === "heading_open").map(({ tag }) => tag);
  return [...new Set(tags)].sort();
}

function adapted(token: Token, levels: readonly string[]): Token {
  if (token.type === "heading_open" || token.type === "heading_close") {
    // The panel's own headings are above these, and no level in between may be missing.
    token.tag = `h${Math.min(6, levels.indexOf(token.tag) + 3)}`;
  }
  const style = token.attrGet("style");
  if (style !== null) {
    // Columns are aligned by a style attribute, which the page's policy forbids.
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
    token.attrJoin("class", String(style).replace(/^text-align:/, "align-"));
  }
  return token;
}

const allowedTags = [
  "p",
  "br",
  "hr",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "li",
  "blockquote",
  "pre",
  "code",
  "em",
  "strong",
  "s",
  "a",
  "span",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
];

/** Returns HTML as nodes that hold only text, its structure, and links to the web or to files. */
export function sanitized(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ["href", "class", "start"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
