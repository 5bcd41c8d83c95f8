const elements = new Set([
  "svg",
  "g",
  "path",
  "line",
  "rect",
  "circle",
  "text",
  "tspan",
  "defs",
  "clipPath",
]);
const attributes = new Set([
  "width",
  "height",
  "viewBox",
  "transform",
  "d",
  "x",
  "y",
  "x1",
  "y1",
  "x2",
  "y2",
  "dx",
  "dy",
  "cx",
  "cy",
  "r",
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-dashoffset",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-miterlimit",
  "stroke-opacity",
  "fill-opacity",
  "opacity",
  "clip-path",
  "id",
  "font-size",
  "font-style",
  "font-weight",
  "text-anchor",
]);

/**
 * Matches a tag, with its attributes as one text, or a piece of text. Vega quotes and escapes all
 * that it writes.
 */
const token = /<(\/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*(\/?)>|([^<>]+)/y;

/**
 * Returns a drawing of shapes and texts alone, which can be put into a page as it is. Other
 * attributes (classes, roles, addresses of schemas) are left out; the description of a shape
 * becomes its title, which a browser shows where the pointer rests.
 *
 * @throws an Error for anything else: that is a bug, or an attempt to bring in what does not belong
 */
export function plainSvg(svg: string): string {
  const written: string[] = [];
  const open: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < svg.length; at = token.lastIndex) {
    const match = token.exec(svg);
    if (!match) throw new Error(`not a plain drawing: ${svg.slice(at, at + 80)}`);
    const [, closes = "", name = "", given = "", empty = "", text] = match;
    if (text !== undefined) {
      written.push(text);
      continue;
    }
    if (!elements.has(name)) throw new Error(`a drawing with <${name}>`);
    if (closes !== "") {
      if (open.pop() !== name) throw new Error(`a drawing whose <${name}> does not close`);
      written.push(`</${name}>`);
      continue;
    }
    const { kept, title } = keptOf(given);
    const inner = title === undefined ? "" : `<title>${title}</title>`;
    if (empty === "") {
      open.push(name);
      written.push(`<${name}${kept}>${inner}`);
    } else if (isSeen(name, kept)) {
      written.push(inner === "" ? `<${name}${kept}/>` : `<${name}${kept}>${inner}</${name}>`);
    }
  }
  if (open.length > 0) throw new Error("a drawing that does not end");
  // Vega keeps axis labels that have no room, with an opacity of 0.
  return written.join("").replace(/<text(?=[^<>]* opacity="0")[^<>]*>[^<>]*<\/text>/g, "");
}

function keptOf(given: string): { readonly kept: string; readonly title: string | undefined } {
  const kept: string[] = [];
  let title: string | undefined;
  for (const [, name = "", value = ""] of given.matchAll(/\s+([\w:-]+)="([^"]*)"/gy)) {
    if (name === "aria-label" && value !== "") title = value;
    if (!attributes.has(name) || (name === "opacity" && value === "1")) continue;
    if (/url\((?!#[\w-]+\))/i.test(value)) throw new Error("a drawing that refers to something");
    const exact = value.replace(/(?<!\d)\d+\.\d{3,}(?:e-\d+)?/g, (number) =>
      String(Math.round(Number(number) * 100) / 100),
    );
    kept.push(` ${name}="${exact}"`);
  }
  return { kept: kept.join(""), title };
}

/**
 * Returns whether an element draws something: Vega also writes paths without a size or without
 * data.
 */
function isSeen(name: string, kept: string): boolean {
  return name !== "path" || !/ d="(?:|M0,0h0v0h0Z)"/.test(kept);
}
