import assert from "node:assert/strict";
import fc from "fast-check";
import { spoken } from "../../../../src/core/text/words.js";
import { namedPathsConcern } from "../../../../src/core/tools/namedPaths.js";
import { ordinaryInputs } from "./corpus/ordinaryInputs.js";
import { ToolWorld } from "./toolWorld.js";

const world = new ToolWorld({
  ".rooignore": "private/\n",
  ".env": "KEY=hunter22\n",
  "AGENTS.md": "",
  "private/plan.md": "",
  "secrets/token.txt": "",
  "src/a.js": "",
  "README.md": "",
  "/etc/passwd": "root\n",
  "/home/me/.ssh/id_rsa": "",
});
world.files.link("notes.txt", "/etc/passwd");

async function concern(input: unknown): Promise<string> {
  return spoken((await namedPathsConcern(input, world.context)) ?? "");
}

/** Files that an input must not name unasked, and the beginning of what is said. */
const targets = [
  "/etc/passwd",
  "../x",
  "../../etc/passwd",
  "src/../../x",
  "notes.txt",
  "~/.ssh/id_rsa",
  "$HOME/.ssh/id_rsa",
  ".git/config",
  ".vscode/settings.json",
  "private/plan.md",
  "secrets/token.txt",
  ".env",
];

/** Ways in which an input can name a file. */
const wrappers: readonly (readonly [string, (path: string) => string])[] = [
  ["alone", (path) => path],
  ["with blanks around", (path) => `  ${path} `],
  ["an option", (path) => `--file=${path}`],
  ["an option and its value", (path) => `--file ${path}`],
  ["an option of one letter", (path) => `-f ${path}`],
  ["a field", (path) => `path=${path}`],
  ["a list with commas", (path) => `src/a.js,${path}`],
  ["a list with semicolons", (path) => `src/a.js;${path};b`],
  ["a list with colons", (path) => `src/a.js:${path}`],
  ["lines", (path) => `src/a.js\n${path}`],
  ["lines of Windows", (path) => `src/a.js\r\n${path}\r\n`],
  ["a tab", (path) => `src/a.js\t${path}`],
  ["quotes", (path) => `"${path}"`],
  ["quotes in a sentence", (path) => `read '${path}', please.`],
  ["backticks", (path) => `see \`${path}\``],
  ["typographic quotes", (path) => `“${path}”`],
  ["brackets", (path) => `[${path}](x)`],
  ["a command", (path) => `cat ${path} | head`],
  ["a redirection", (path) => `wc <${path}`],
  ["a file of curl", (path) => `@${path}`],
  ["JSON", (path) => JSON.stringify({ file: path })],
  ["JSON in JSON", (path) => JSON.stringify({ args: JSON.stringify([path]) })],
  ["JSON with escapes", (path) => JSON.stringify({ path }).replaceAll("/", "\\/")],
  ["escapes of JSON", (path) => `{"path":"${escaped(path, 4, "\\u")}"}`],
  ["escapes of a language", (path) => escaped(path, 2, "\\x")],
  ["percent signs", (path) => escaped(path, 2, "%")],
  ["percent signs twice", (path) => escaped(path, 2, "%25")],
  ["percent signs for dots", (path) => path.replaceAll(".", "%2e").replaceAll("/", "%2F")],
  ["numbers of HTML", (path) => path.replace(/[^]/g, (one) => `&#${one.charCodeAt(0)};`)],
  [
    "names of HTML",
    (path) => path.replaceAll(".", "&period;").replaceAll("/", "&sol;").replaceAll("\\", "&bsol;"),
  ],
  ["a host", (path) => `me@${path}`],
  ["a question mark", (path) => `?${path}`],
  ["brackets of Chinese", (path) => `「${path}」`],
  ["wide characters", (path) => path.replaceAll(".", "\uFF0E").replaceAll("/", "\uFF0F")],
  ["the slashes of Windows", (path) => path.replaceAll("/", "\\")],
  ["two slashes", (path) => path.replace(/(?<=.)\//g, "//")],
  ["a list with an address", (path) => `https://example.test/a,${path}`],
  ["YAML", (path) => `file: ${path}\n`],
  ["XML", (path) => `<file>${path}</file>`],
  ["a long text", (path) => `${"It is a long story. ".repeat(30)}\n${path}\n`],
];

/** Writes each character of ASCII by its number. */
function escaped(text: string, digits: number, sign: string): string {
  return text.replace(/[\0-\x7f]/g, (one) => {
    return sign + one.charCodeAt(0).toString(16).padStart(digits, "0");
  });
}

describe("an input of another program's tool", () => {
  for (const [name, wrap] of wrappers) {
    it(`is asked about when it names a file that needs approval: ${name}`, async () => {
      for (const target of targets) {
        // Nobody can tell whether a file will be there, and a long text has words enough.
        if (name === "a long text" && target.endsWith("x")) continue;
        const text = wrap(target);
        assert.notEqual(await concern({ given: text }), "", JSON.stringify(text));
      }
    });
  }

  it("is asked about however it is wrapped twice", async () => {
    const pair = fc.tuple(
      fc.constantFrom(...targets),
      fc.constantFrom(...wrappers.slice(0, -1)),
      fc.constantFrom(...wrappers.slice(0, -1)),
      fc.constantFrom<(text: string) => unknown>(
        (text) => text,
        (text) => [text],
        (text) => ({ [text]: 1 }),
        (text) => ({ a: [{ b: text }] }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(pair, async ([target, [one, inner], [other, outer], hold]) => {
        const input = hold(outer(inner(target)));
        assert.notEqual(await concern(input), "", `${one}, ${other}: ${JSON.stringify(input)}`);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it("is asked about when it names a file by an address of files, wherever that stands", async () => {
    for (const text of [
      "file:///etc/passwd",
      "FILE:/etc/passwd",
      "file://localhost/etc/passwd",
      "view-source:file:///etc/passwd",
      "https://example.test/?u=file:///etc/passwd",
      "https://example.test/?u=file%3A%2F%2F%2Fetc%2Fpasswd",
      "repo:///../x",
    ]) {
      assert.match(await concern(text), /outside the workspace/, text);
    }
  });

  it("is asked about when an address names a place on this machine that only a program knows", async () => {
    for (const text of [
      "vscode-userdata:/User/settings.json",
      "open vscode-userdata:/User/settings.json, please",
      "vscode-userdata%3A%2FUser%2Fsettings.json",
      "vscode-file://vscode-app/usr/share/x.json",
      "vscode-remote://wsl+ubuntu/home/me/x",
      "vscode://file/home/me/x",
      "--uri=cursor://file/home/me/x",
      "resource:///x",
      "sqlite:/x.db",
    ]) {
      assert.match(await concern({ given: text }), /outside the workspace/, text);
    }
    for (const text of [
      "npm run vscode:prepublish",
      "ticket://12",
      "memory://notes/1",
      "postgres://db.example.test/shop",
      "https:/example.test",
      "data:/x",
      "urn:isbn:9783161484100",
      "the route:/users of this server",
      "file:src/a.js",
    ]) {
      assert.equal(await concern({ given: text }), "", text);
    }
  });

  it("is asked about when it names a folder by a variable that only a program can read", async () => {
    for (const text of [
      "$HOME",
      "--dir=${HOME}",
      "look in $XDG_CONFIG_HOME, please",
      "${HOME%/}/x",
      "%APPDATA%",
      "cd %USERPROFILE%",
      "$env:USERPROFILE\\x",
      "${env:HOME}/x",
    ]) {
      assert.match(await concern({ given: text }), /outside the workspace/, text);
    }
    for (const text of ["where name like '%APP%'", "$temp = 5", "$HOMEPAGE", "100 %TEMPER%"]) {
      assert.equal(await concern({ given: text }), "", text);
    }
  });

  it("is asked about when signs, letters or a placeholder stand before a path", async () => {
    for (const text of [
      "+../x",
      "—../x",
      "•../x",
      "→/etc/passwd",
      "^../x",
      "打开../x",
      "读/etc/passwd",
    ]) {
      assert.match(await concern({ given: text }), /outside the workspace/, text);
    }
    for (const text of ["{{workspace}}/../x", "<root>/../x", "@/../x", "${folder}/src/../../x"]) {
      assert.match(await concern({ given: text }), /outside the workspace/, text);
    }
  });

  it("is asked about when it has more than can be looked at", async () => {
    const tooMuch = /names too many things/;
    assert.match(await concern(Array.from({ length: 101 }, () => "a")), tooMuch);
    assert.match(await concern("a".repeat(1_000_001)), tooMuch);
    const many = Array.from({ length: 6_000 }, (_, number) => `w${number}`).join(" ");
    assert.match(await concern(many), tooMuch);
    let nested: unknown = ["src/a.js"];
    for (let depth = 0; depth < 40; depth++) nested = [nested];
    assert.equal(await concern(nested), "", "each list is looked through once");
    let deep: unknown = ["/etc/passwd"];
    for (let depth = 0; depth < 20_000; depth++) deep = [deep];
    assert.match(await concern(deep), /outside the workspace/);
  });

  it("is rarely asked about when it is ordinary", async () => {
    const asked: string[] = [];
    for (const input of ordinaryInputs) {
      const why = await concern(input);
      if (why !== "") asked.push(`${JSON.stringify(input).slice(0, 100)}: ${why}`);
    }
    process.stdout.write(
      `  of ${ordinaryInputs.length} ordinary inputs of tools ${asked.length} are asked about\n`,
    );
    assert.ok(asked.length <= ordinaryInputs.length * 0.05, asked.join("\n"));
  });
});
