/**
 * Returns where the JSON object or list that begins at `start` ends (exclusive), whatever its strings hold;
 * `undefined` if none begins there, or its end is missing.
 */
export function jsonValueEnd(text: string, start: number): number | undefined {
  const open: string[] = [];
  const part = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|["'{}[\]]/g;
  part.lastIndex = start;
  if (!/[{[]/.test(text.charAt(start))) return undefined;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [token] = match;
    if (token === '"' || token === "'") return undefined;
    if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else if (token === "}" || token === "]") {
      if (open.pop() !== token) return undefined;
      if (open.length === 0) return part.lastIndex;
    }
  }
  return undefined;
}
