import { defaultTreeAdapter as tree, type DefaultTreeAdapterMap, parse } from "parse5";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

/** Returns a page as a browser's parser reads it. */
export function readPage(html: string) {
  const problems: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => problems.push(code) });
  const elements: Element[] = [];
  const walk = (node: Node): void => {
    if (tree.isElementNode(node)) elements.push(node);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(document);
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  return {
    /** The problems by the standard's names. */
    problems,
    tags: new Set(elements.map(({ tagName }) => tagName)),
    attributes: new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))),
    values: elements.flatMap(({ attrs }) => attrs.map(({ value }) => value)),
    texts: (name: string) => named(name).map(textOf),
    attribute: (name: string, attribute: string) =>
      named(name).map(({ attrs }) => attrs.find((one) => one.name === attribute)?.value),
  };
}

function textOf(node: Node): string {
  if (tree.isTextNode(node)) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}
