import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readCommandLine } from "../../src/core/commands/line/commandLine.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { randomFrom } from "../fakes/randomFrom.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** Pieces of lines in which words can be cut, joined and quoted in every way. */
const pieces = [
  ..."aa bb c1 -x --y=z a.b / . = @ % + , : ^ ~ # ! * ? [ ] { } é".split(" "),
  " ",
  " ",
  " ",
  " ",
  "  ",
  "\t",
  "\n",
  ";",
  "; ",
  " && ",
  "&&",
  " | ",
  "|",
  " # c\n",
  " \\\n",
  "\\\n",
  "'a b'",
  "'",
  '"',
  '"c d"',
  '""',
  "''",
  "\\ ",
  "\\;",
  "\\'",
  '\\"',
  "\\\\",
  "\\a",
  "'#'",
  '"\\$x"',
  '"a\\b"',
  '"$?"',
  " >/dev/null",
  " 2>&1",
  " 2>/dev/null ",
  " </dev/null ",
  "1",
  "2",
  "10",
  "(",
  ")",
  "$",
  "$'a'",
  "`",
  "&",
  "<",
  ">",
];

/** Says of each line what words bash gives to programs; none of the programs exists. */
const runner = `
exec 3>&1
PATH=/nonexistent
command_not_found_handle() { builtin printf '%s\\0' "$@" $'\\1' >&3; }
while IFS= builtin read -r -d '' line; do
  ( builtin eval "$line" ) </dev/null >/dev/null 2>&1
  wait
  builtin printf '\\2\\0' >&3
done`;

describe("the reading of command lines", () => {
  const folder = temporaryFolder();

  it("is the same as bash's own, wherever it is certain of every word", async () => {
    const parser = new BashParser();
    const random = randomFrom(7);
    const read: { line: string; programs: string[] }[] = [];
    for (let tries = 0; tries < 8_000; tries++) {
      let line = "";
      for (let count = 2 + Math.floor(random() * 9); count > 0; count--) {
        line += pieces[Math.floor(random() * pieces.length)] ?? "";
      }
      line = `zz ${line}`;
      // What stands behind it is not run, as every program here succeeds.
      if (line.includes("||")) continue;
      const tree = await parser.parse(line);
      const reading = tree && readCommandLine(line, tree, "");
      if (reading === undefined || reading.beyond !== undefined) continue;
      const { commands } = reading;
      const isKnown = commands.every(({ words, assigns, redirects }) => {
        const [name] = words;
        if (assigns || name === undefined || /^[.:![]$|^%|\/|^$/.test(name.text)) return false;
        // Of those that fail the command is not run.
        const fails = redirects.some(({ operator, target }) => {
          return !(
            target.text === "/dev/null" ||
            (operator === ">&" && /^[12]$/.test(target.text))
          );
        });
        if (fails) return false;
        return words.every(({ kind }) => kind === "literal");
      });
      if (!isKnown) continue;
      const programs = commands.map(({ words }) => JSON.stringify(words.map(({ text }) => text)));
      read.push({ line, programs: programs.sort() });
    }
    assert.ok(read.length > 300, `only ${read.length} lines could be compared`);
    const input = read.map(({ line }) => `${line}\0`).join("");
    const output = execFileSync("bash", ["-c", runner], {
      input,
      cwd: folder.path,
      maxBuffer: 2 ** 26,
    }).toString();
    const answers = output.split("\u0002\0");
    for (const [index, { line, programs }] of read.entries()) {
      const started = (answers[index] ?? "").split("\u0001\0").slice(0, -1);
      const words = started.map((one) => JSON.stringify(one.split("\0").slice(0, -1)));
      assert.deepEqual(words.sort(), programs, JSON.stringify(line));
    }
  });
});
