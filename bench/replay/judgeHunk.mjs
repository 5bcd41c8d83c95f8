/**
 * Judges a result without knowing how it was made. It is right if all of this holds:
 *
 * 1. Blanks and empty lines aside, the result is the file in which one stretch of lines, the hunk's
 *    old ones, is replaced by its new ones. At each end up to two lines that the hunk does not change
 *    may be left out of both, but not more than a third of the old lines.
 * 2. No other stretch of the file has as many of the hunk's old lines, in their order, unless the
 *    hunk's own line number names this place.
 * 3. All lines of the file that the hunk does not remove are in the result, byte for byte.
 * 4. A new line that the hunk indents like the lines before and after it is indented like one of
 *    them in the result.
 *
 * @param {readonly string[]} hunk Its lines, the head first.
 * @param {string} before
 * @param {string} after
 * @returns {string | undefined} What is wrong.
 */
export function judgeHunk([head, ...body], before, after) {
  const steps = body
    .filter((line) => !line.startsWith("\\"))
    .map((line) => {
      const sign = /^[-+ ]/.test(line) ? line[0] : " ";
      const text = /^[-+ ]/.test(line) ? line.slice(1) : line;
      return { sign, text, key: keyOf(text) };
    })
    .filter(({ key }) => key !== "");
  const [file, result] = [filled(before), filled(after)];
  const place = placeOf(steps, file, result);
  if (!place) return "the result is not what the hunk says";
  const { at, old } = place;
  const whole = steps.filter(({ sign }) => sign !== "+").map(({ key }) => key);
  const keys = file.map(({ key }) => key);
  const others = [keys.slice(0, at), keys.slice(at + old.length)];
  const elsewhere = Math.max(...others.map((lines) => mostShared(whole, lines)));
  const stated = Number(/-(\d+)/.exec(head)?.[1] ?? 0);
  const isStated = Math.abs(stated - 1 - (file[at]?.line ?? -1)) <= 2;
  if (elsewhere >= old.length && !isStated) return "it could be about another place as well";
  if (!keepsBytes(place, file, result)) return "a line that stays has changed";
  return place.now.some((_, n) => isOddlyIndented(place, result, n)) ? "oddly indented" : undefined;
}

const keyOf = (text) => text.replace(/\s+/g, "");
const indentOf = (text) => /^\s*/.exec(text)[0];

/** @param {string} text */
function filled(text) {
  return text
    .split("\n")
    .map((one, line) => ({ text: one, key: keyOf(one), line }))
    .filter(({ key }) => key !== "");
}

/** Finds the stretch that was replaced, with the fewest lines left out. */
function placeOf(steps, file, result) {
  const stays = (list) => {
    const changed = list.findIndex(({ sign }) => sign !== " ");
    return Math.min(2, changed < 0 ? list.length : changed);
  };
  const oldCount = steps.filter(({ sign }) => sign !== "+").length;
  const [start, end] = [stays(steps), stays(steps.toReversed())];
  for (let out = 0; out <= start + end && out * 3 <= oldCount; out++) {
    for (let from = Math.max(0, out - end); from <= Math.min(out, start); from++) {
      const kept = steps.slice(from, steps.length - (out - from));
      const old = kept.filter(({ sign }) => sign !== "+");
      const now = kept.filter(({ sign }) => sign !== "-");
      if (result.length !== file.length - old.length + now.length) continue;
      for (let at = 0; at + old.length <= file.length; at++) {
        const expected = [...file.slice(0, at), ...now, ...file.slice(at + old.length)];
        if (!old.every(({ key }, n) => file[at + n].key === key)) continue;
        if (expected.every(({ key }, n) => result[n].key === key)) return { at, old, now };
      }
    }
  }
  return undefined;
}

/** Returns the most lines, in their order, that these have in common with a stretch hardly longer. */
function mostShared(lines, others) {
  let most = 0;
  const length = lines.length + 3;
  for (let at = 0; at < others.length; at++) {
    most = Math.max(most, shared(lines, others.slice(at, at + length)));
    if (at + length >= others.length) break;
  }
  return most;
}

/** Returns the length of the longest common subsequence. */
function shared(lines, others) {
  let row = new Array(others.length + 1).fill(0);
  for (const line of lines) {
    const next = [0];
    for (const [n, other] of others.entries()) {
      next.push(line === other ? row[n] + 1 : Math.max(row[n + 1], next[n]));
    }
    row = next;
  }
  return row.at(-1);
}

function keepsBytes({ at, old, now }, file, result) {
  const removed = new Set();
  for (const [n, step] of old.entries()) if (step.sign === "-") removed.add(at + n);
  // What is removed and added again in other blanks may be either line.
  const again = new Set(now.filter(({ sign }) => sign === "+").map(({ key }) => key));
  let next = 0;
  for (const [n, { text, key }] of file.entries()) {
    if (removed.has(n) || again.has(key)) continue;
    while (next < result.length && result[next].text !== text) next++;
    if (next === result.length) return false;
    next++;
  }
  return true;
}

function isOddlyIndented({ at, now }, result, n) {
  const [above, line, below] = [now[n - 1], now[n], now[n + 1]];
  if (line.sign !== "+" || !above || !below) return false;
  const written = indentOf(line.text);
  if (indentOf(above.text) !== written || indentOf(below.text) !== written) return false;
  const [up, own, down] = [at + n - 1, at + n, at + n + 1].map((place) =>
    indentOf(result[place].text),
  );
  return own !== up && own !== down;
}
