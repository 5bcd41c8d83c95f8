/**
 * Returns the full titles of the tests in a file, whose lines are indented as the formatter does it: those of the groups around
 * each, then its own, as they stand in the source, with `${…}` where it has that.
 *
 * @param {string} source
 */
export function titlesIn(source) {
  const pattern = /^( *)(?:await )?(describe\w*|it)\(\s*(["'`])((?:\\.|(?!\3)[^\\\n])*)\3,/gm;
  /** @type {{ indent: number, title: string }[]} */
  let groups = [];
  const titles = [];
  for (const [, indent = "", kind, , escaped = ""] of source.matchAll(pattern)) {
    groups = groups.filter((group) => group.indent < indent.length);
    const title = [...groups.map((group) => group.title), escaped.replace(/\\(.)/g, "$1")];
    if (kind === "it") titles.push(title.join(" "));
    else groups.push({ indent: indent.length, title: title.at(-1) ?? "" });
  }
  return titles;
}
