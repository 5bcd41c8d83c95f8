import { randomFrom } from "../../../fakes/randomFrom.js";

export interface RandomLine {
  readonly line: string;
  /** A line of the corpus is in it that still is what it was, whatever stands around it. */
  readonly holdsWhole: boolean;
}

/** A line that is longer than this many characters is not put into another one. */
const longest = 600;

/**
 * Makes lines of pieces of others: joined, wrapped, with words exchanged, spelled otherwise, left out
 * or torn. The same seed makes the same lines.
 *
 * @param corpus the lines that they are made of
 * @param count how many
 */
export function randomLines(
  seed: number,
  corpus: readonly string[],
  count: number,
): readonly RandomLine[] {
  const random = randomFrom(seed);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const words = corpus.flatMap((line) => line.split(" "));
  const instead = (line: string, change: (word: string) => string): string => {
    const parts = line.split(" ");
    const at = Math.floor(random() * parts.length);
    return parts.map((part, index) => (index === at ? change(part) : part)).join(" ");
  };
  const around = [
    (line: string) => `${pick(harmless)}${pick(joints)}${line}`,
    // What reads its line to the end must stay at the end of one.
    (line: string) => (/[#<]/.test(line) ? line : `${line}${pick(joints)}${pick(harmless)}`),
    (line: string) => pick(wraps)(line),
  ];
  const tears = [
    (line: string) => instead(line, () => pick(words)),
    (line: string) => instead(line, () => ""),
    (line: string) => instead(line, (word) => `'${word}'`),
    (line: string) => instead(line, (word) => `"${word}"`),
    (line: string) => `${line} ${pick(words)}`,
    (line: string) => `${line} ${pick(["-", "--", "-o", "--output="])}${pick(words)}`,
    (line: string) => line.replace(" ", pick(["\t", "  ", "$IFS", " \\\n", "\u00a0", "\n"])),
    (line: string) => line.replace(/[a-z]/, (letter) => `\\${letter}`),
    (line: string) => line.slice(0, Math.floor(random() * line.length)),
    (line: string) => {
      const at = Math.floor(random() * line.length);
      return line.slice(0, at) + pick(marks) + line.slice(at);
    },
  ];
  return Array.from({ length: count }, () => {
    let line = pick(corpus);
    for (let turns = Math.floor(random() * 3); turns > 0 && line.length < longest; turns--) {
      line = pick(around)(line);
    }
    const isTorn = random() < 0.5;
    for (let turns = isTorn ? 1 + Math.floor(random() * 3) : 0; turns > 0; turns--) {
      line = pick(tears)(line);
    }
    return { line, holdsWhole: !isTorn };
  });
}

const marks = Array.from("'\"`$(){}<>|&;*?[]~!#\\=\n");
const harmless = ["ls", "pwd", "git status", "cat README.md", "true", "echo a 'b c'"];
const joints = [";", "; ", "\n", " && ", "&&", " | ", " & ", "\n\n"];
const quoted = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`;
const wraps: readonly ((line: string) => string)[] = [
  (line) => `bash -c ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `trap ${quoted(line)} EXIT`,
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `${line}\n`,
];
