import { t } from "../text/words.js";
import { markdown } from "./loadMarkdown.js";
import type { RenderedMarkdown } from "./markdown.js";
import { workspaceReference } from "./workspaceReference.js";

/** The most characters of a code block that is highlighted: longer ones would take too long. */
const highlightLimit = 30_000;
/** Lines of code that are laid out together: a line that is added to more of them would take too long. */
const linesTogether = 50;

interface Block {
  readonly html: string;
  readonly nodes: readonly ChildNode[];
}

/**
 * Shows Markdown. While a text grows, unchanged blocks keep their nodes, and with them the user's selection
 * in them.
 */
export class MarkdownView extends HTMLElement {
  private blocks: Block[] = [];
  private shown: string | undefined;
  private rendered: RenderedMarkdown | undefined;
  private growing = false;

  /** The text to show. `growing`: more text will follow, so the last block is not highlighted yet. */
  set source({ text, growing = false }: { text: string; growing?: boolean }) {
    if (text === this.shown && growing === this.growing) return;
    this.shown = text;
    this.growing = growing;
    try {
      const rendered = markdown().renderMarkdown(text, this.rendered);
      this.rendered = growing ? rendered : undefined;
      this.showBlocks(rendered.blocks);
    } catch {
      this.rendered = undefined;
      this.blocks = [];
      this.textContent = text;
    }
  }

  private showBlocks(html: readonly string[]): void {
    if (this.blocks.length === 0) this.replaceChildren();
    let same = 0;
    while (same < html.length && this.blocks[same]?.html === html[same]) same++;
    const [changed, ...rest] = this.blocks.splice(same);
    for (const block of rest) for (const node of block.nodes) node.remove();
    for (const [index, blockHtml] of html.slice(same).entries()) {
      const fragment = markdown().sanitized(blockHtml);
      decorate(fragment);
      const before = index === 0 ? (changed?.nodes ?? []) : [];
      const nodes = updateNodes(this, before, [...fragment.childNodes]);
      this.blocks.push({ html: blockHtml, nodes });
    }
    if (same === html.length) for (const node of changed?.nodes ?? []) node.remove();
    const finished = this.growing ? this.blocks.slice(0, -1) : this.blocks;
    for (const { nodes } of finished) for (const node of nodes) void colour(node);
  }
}
customElements.define("rooroo-markdown", MarkdownView);

/**
 * Makes the last nodes of `parent` show what others would, and leaves in place those that do so already, so that
 * only what has grown is laid out again.
 *
 * @param before the nodes at the end of `parent`
 * @param after nodes that are not in the page; those that are needed are moved
 * @returns the nodes that are now there
 */
function updateNodes(
  parent: Node,
  before: readonly ChildNode[],
  after: readonly ChildNode[],
): ChildNode[] {
  let same = 0;
  for (; same < before.length && same < after.length; same++) {
    const [old, now] = [before[same], after[same]];
    if (!old || !now || !updated(old, now)) break;
  }
  for (const node of before.slice(same)) node.remove();
  for (const node of after.slice(same)) parent.appendChild(node);
  return [...before.slice(0, same), ...after.slice(same)];
}

/** Returns whether a node shows what the other one would, or has been made to. */
function updated(old: ChildNode, now: ChildNode): boolean {
  if (old instanceof Text && now instanceof Text) {
    if (!now.data.startsWith(old.data)) return false;
    // The selection in what stays is not lost.
    if (now.length > old.length) old.appendData(now.data.slice(old.length));
    return true;
  }
  if (old.isEqualNode(now)) return true;
  if (!(old instanceof Element) || !(now instanceof Element)) return false;
  if (!old.cloneNode(false).isEqualNode(now.cloneNode(false))) return false;
  updateNodes(old, [...old.childNodes], [...now.childNodes]);
  return true;
}

/** Adds targets, titles and buttons to links, files, code and tables; `linkClicks` handles the clicks. */
function decorate(fragment: DocumentFragment): void {
  for (const link of fragment.querySelectorAll("a")) {
    const href = link.getAttribute("href") ?? "";
    if (/^(https?:\/\/|mailto:)/i.test(href)) {
      link.title = href;
      link.rel = "noreferrer";
    } else {
      link.replaceWith(fileButton(decoded(href), link.textContent));
    }
  }
  for (const code of fragment.querySelectorAll(":not(pre) > code")) {
    if (code.closest("a, [role=button]") || !workspaceReference(code.textContent)) continue;
    const button = fileButton(code.textContent, code.textContent);
    code.replaceChildren(button);
  }
  for (const code of fragment.querySelectorAll("pre > code")) addCodeHeader(code);
  for (const table of fragment.querySelectorAll("table")) {
    // A wide table scrolls on its own, and the keyboard can reach it.
    const scroller = document.createElement("div");
    scroller.className = "table-scroller";
    scroller.tabIndex = 0;
    scroller.role = "region";
    scroller.ariaLabel = t("Table");
    table.replaceWith(scroller);
    scroller.append(table);
  }
}

function fileButton(target: string, label: string): Node {
  const reference = workspaceReference(target);
  if (!reference) return document.createTextNode(label);
  // Not a button: that would be a box, which cannot break across lines with the words around it.
  const button = document.createElement("span");
  button.role = "button";
  button.tabIndex = 0;
  button.className = "file-link";
  button.dataset["path"] = reference.path;
  if (reference.line !== undefined) button.dataset["line"] = String(reference.line);
  button.title = t("Open {0}", target);
  button.textContent = label;
  return button;
}

function addCodeHeader(code: Element): void {
  const pre = code.parentElement;
  if (!pre) return;
  layOutInParts(code);
  const language = /\blanguage-([\w+#.-]+)/.exec(code.className)?.[1] ?? "";
  const block = document.createElement("div");
  block.className = "code-block";
  const header = document.createElement("div");
  header.className = "code-header";
  const label = document.createElement("span");
  label.textContent = language;
  const insert = codeButton("insert", t("Insert at Cursor"));
  insert.dataset["insert"] = "";
  const copy = codeButton("copy", t("Copy Code"));
  copy.dataset["copy"] = "code";
  header.append(label, insert, copy);
  pre.replaceWith(block);
  pre.tabIndex = 0;
  pre.role = "region";
  pre.ariaLabel = language === "" ? t("Code") : t("Code, {0}", language);
  block.append(header, pre);
}

/** Divides long code into boxes of some lines each, whose text together is the code. */
function layOutInParts(code: Element): void {
  const lines = code.textContent.split(/(?<=\n)/);
  if (lines.length <= linesTogether) return;
  code.replaceChildren();
  for (let start = 0; start < lines.length; start += linesTogether) {
    const part = document.createElement("span");
    part.className = "code-lines";
    part.textContent = lines.slice(start, start + linesTogether).join("");
    code.append(part);
  }
}

function codeButton(icon: string, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `icon-button codicon codicon-${icon}`;
  button.title = button.ariaLabel = label;
  return button;
}

async function colour(node: ChildNode): Promise<void> {
  if (!(node instanceof HTMLElement)) return;
  const codes = [...node.querySelectorAll<HTMLElement>("pre > code[class*='language-']")];
  for (const code of codes) {
    const language = /\blanguage-([\w+#.-]+)/.exec(code.className)?.[1]?.toLowerCase() ?? "";
    const text = code.textContent;
    if (code.dataset["coloured"] !== undefined || text.length > highlightLimit) continue;
    code.dataset["coloured"] = "";
    try {
      const { highlighted } = await import("./highlighted.js");
      const html = highlighted(text, language);
      if (html !== undefined) code.replaceChildren(markdown().sanitized(html));
    } catch {
      // Code is readable without highlighting, too.
    }
  }
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
