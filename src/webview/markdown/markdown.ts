import DOMPurify from "dompurify";
import MarkdownIt, { type Token } from "markdown-it";

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

/** A text as HTML, and where in it the rendering can go on when the text has grown. */
export interface RenderedMarkdown {
  readonly text: string;
  /** The HTML of each top-level block. */
  readonly blocks: readonly string[];
  /** The tags of the text's headings. */
  readonly levels: readonly string[];
  /** The blocks that no further text changes: their number, their tags of headings, and where the next one begins. */
  readonly settled: {
    readonly count: number;
    readonly levels: readonly string[];
    readonly end: number;
  };
}

/** What of the beginning of a text is settled when nothing is known about it. */
const nothingSettled: RenderedMarkdown["settled"] = { count: 0, levels: [], end: 0 };

/**
 * Renders Markdown as HTML, one string for each top-level block, so that while a text grows only the blocks
 * that have changed are redrawn. Raw HTML is shown as text. The result must be sanitised all the same.
 *
 * @param before what this text began with; its settled blocks are not rendered again
 */
export function renderMarkdown(text: string, before?: RenderedMarkdown): RenderedMarkdown {
  const markdown = (parser ??= newParser());
  const goesOn = before !== undefined && text.startsWith(before.text);
  const settled = goesOn ? before.settled : nothingSettled;
  const environment: Parameters<typeof markdown.parse>[1] = {};
  const tokens = markdown.parse(text.slice(settled.end), environment);
  const levels = union(settled.levels, headingLevels(tokens));
  const isDefining = environment.references !== undefined;
  // A new level of headings, or the target of a link, changes earlier blocks too.
  if (settled.count > 0 && (isDefining || levels.join() !== before?.levels.join())) {
    return renderMarkdown(text);
  }
  const parts = topLevel(tokens);
  // The next line can still become a part of the last block, or of the one before it.
  const from = parts.slice(0, -2);
  const settledLevels = union(settled.levels, headingLevels(from.flat()));
  const added = parts.map((part) => {
    const own = part.map((token) => adapted(token, levels));
    return markdown.renderer.render(own, markdown.options, environment);
  });
  const blocks = [...(before?.blocks.slice(0, settled.count) ?? []), ...added];
  if (isDefining || from.length === 0) return { text, blocks, levels, settled };
  const line = parts.at(-2)?.[0]?.map?.[0] ?? 0;
  const end = settled.end + lineStart(text.slice(settled.end), line);
  const count = settled.count + from.length;
  return { text, blocks, levels, settled: { count, levels: settledLevels, end } };
}

/** Returns the tokens of each top-level block. */
function topLevel(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [];
  let part: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    part.push(token);
    depth += token.nesting;
    if (depth > 0) continue;
    parts.push(part);
    part = [];
  }
  return parts;
}

/** Returns where a line begins, counted from 0 as the parser counts lines. */
function lineStart(text: string, line: number): number {
  const ends = /\r\n?|\n/g;
  for (let left = line; left > 0; left--) ends.exec(text);
  return ends.lastIndex;
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])].sort();
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
