/** Returns whether a log's title only holds the place of one, as in `_待定_`. */
export function isTitlePlaceholder(title: string): boolean {
  const name = title.replace(/^[\s_*]+|(?<![\s_*])[\s_*]+$/g, "");
  return /^(?:待定|tbd|untitled)?$/i.test(name);
}
