import type { PathGuard } from "../access/locatedPath.js";
import { saidBy, UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";

/** An input with more texts, characters, or things that may be paths needs approval. */
const most = { texts: 100, characters: 1_000_000, paths: 5_000 };

/** The most characters of a text whose words count as paths to files that are yet to be made. */
const mostOfShort = 200;

/** The most bytes, and so the most characters, of a name on any file system. */
const longestName = 255;

/** How often what is encoded is decoded: a program may decode what another one has encoded twice. */
const mostRounds = 4;

/** Something in an input that may be a path. */
interface Named {
  readonly path: string;
  /**
   * `whole`: the text is nothing else; `word`: a part of a text; `longWord`: a part of a long text; `variable`: where it leads,
   * only its program can tell.
   */
  readonly as: "whole" | "word" | "longWord" | "variable";
}

interface Places {
  readonly guard: PathGuard;
  readonly files: Pick<FileSystem, "stat">;
}

/**
 * Returns why the input of a tool that is not ours needs approval: it names a file outside the workspace, or one that
 * experts may not read or change without it. Any text may be a path, and so may each of its words, as it stands or
 * decoded. A path that a tool makes of several texts, of a pattern, or of what only it can decode is not recognized.
 */
export async function namedPathsConcern(
  input: unknown,
  places: Places,
): Promise<Words | undefined> {
  const tooMuch = words("It names too many things to look at them all.");
  const texts = textsIn(input);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length > most.texts || length > most.characters) return tooMuch;
  const seen = new Set<string>();
  for (const text of texts) {
    for (const named of namedIn(text)) {
      const key = `${named.as} ${named.path}`;
      if (seen.has(key)) continue;
      if (seen.size === most.paths) return tooMuch;
      seen.add(key);
      const concern = await concernOf(named, places);
      if (concern !== undefined) return concern;
    }
  }
  return undefined;
}

/**
 * Returns the texts of an input at any depth, with its keys, because some tools take files by their
 * names. Stops where there are too many.
 */
function textsIn(input: unknown): string[] {
  const texts: string[] = [];
  const waiting = [input];
  while (waiting.length > 0 && texts.length <= most.texts) {
    const value = waiting.pop();
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) texts.push(...Object.keys(value).slice(0, most.texts + 1));
    for (const one of Object.values(value).reverse() as unknown[]) waiting.push(one);
  }
  return texts;
}

/** What stands between the parts of a list, a command, a pattern, a sentence, or code. */
const between =
  /(?:[\s,;=|&<>()[\]{}"'`*!#\u00AB\u00BB\u2018-\u201F\u2039\u203A\u3000-\u3003\u3008-\u301F]|\?(?!\.[\w$])|(?<![\w)\]])\?)+/;

/** Addresses of other machines. Their ends may be the separators of a list. */
const address = /\b(?:https?|wss?|ftps?|sftp|ssh|git|git\+ssh|git\+https):\/\/[^\s"'<>`,;|]*/gi;

/** Finds everything in a text that may be a path. */
function* namedIn(text: string): Generator<Named> {
  for (const reading of readingsOf(text)) {
    const as = reading.length > mostOfShort ? "longWord" : "word";
    const whole = reading.trim();
    // A file's address counts wherever it stands, also in another address.
    for (const [, path = ""] of whole.matchAll(/\bfile:(?:\/\/[^/\s]*)?([^\s"'<>`,;|]+)/gi)) {
      yield { path: slashed(path), as: "whole" };
    }
    for (const pattern of [variables, placesOfPrograms]) {
      for (const [path] of whole.matchAll(pattern)) yield { path, as: "variable" };
    }
    const rest = whole.replace(/^#!.*/, "").replace(address, " ");
    if (rest === whole && whole !== "" && whole.length <= 4096 && !/[\n\0]/.test(whole)) {
      yield { path: slashed(whole), as: "whole" };
    }
    for (const word of rest.split(between)) {
      for (const path of pathsOfWord(slashed(word))) yield { path, as };
    }
  }
}

/** Returns a text as it stands, and as a program may decode it. */
function readingsOf(text: string): ReadonlySet<string> {
  const readings = new Set<string>();
  let reading = text;
  for (let round = 0; round < mostRounds && !readings.has(reading); round++) {
    readings.add(reading);
    readings.add(reading.normalize("NFKC"));
    reading = unescaped(percentDecoded(reading));
  }
  return readings.add(reading);
}

/** Decodes each run of `%xx` that is UTF-8; others stay. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Decodes the escapes of JSON and of programming languages, and numbers for characters as HTML has them. */
function unescaped(text: string): string {
  const character = (digits: string, base: number) => {
    const code = parseInt(digits, base);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  };
  return text
    .replace(
      /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([/"'\\])|[nrtfb])/gi,
      (_, long?: string, short?: string, byte?: string, itself?: string) => {
        const digits = long ?? short ?? byte;
        return digits === undefined ? (itself ?? " ") : character(digits, 16);
      },
    )
    .replace(/&(?:period|sol|bsol);/g, (name) => ({ p: ".", s: "/" })[name.charAt(1)] ?? "\\")
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
      hex === undefined ? character(decimal ?? "", 10) : character(hex, 16),
    );
}

function slashed(text: string): string {
  return text.replaceAll("\\", "/");
}

/**
 * Returns what of a word may be a path: all of it, what follows a colon, a scheme, an `@`, other signs or letters without blanks
 * between words, or the letters of an option.
 */
function pathsOfWord(word: string): Set<string> {
  const [, inScheme = ""] = /^[a-z][a-z0-9+.-]+:\/\/(.*)$/i.exec(word) ?? [];
  const parts =
    inScheme === ""
      ? // Not at the colon of `C:/`.
        word.split(/(?<!(?:^|[^a-z])[a-z]):|:(?!\/)|@/i)
      : [inScheme.replace(/^[^/]*/, ""), inScheme.replace(/^\/+/, "")];
  const found = new Set<string>();
  for (const part of [word, ...parts]) {
    found.add(part);
    found.add(part.replace(/^(?:@+|-{1,2}[\w-]*(?=[./~])|[^\w./~]+(?=[./~]))/, ""));
  }
  // A dot or a slash alone is a sign in texts and code.
  for (const path of found) if (/^(?:[/.]|\/+|\.{3,}|)$/.test(path)) found.delete(path);
  return found;
}

/** Variables that hold a folder, as shells and editors write them, with or without what follows. */
const variables =
  /\$(?:\{?[Ee][Nn][Vv]:\w|\{?(?:HOME|USERPROFILE|HOMEPATH|HOMEDRIVE|APPDATA|LOCALAPPDATA|PROGRAMDATA|SYSTEMROOT|WINDIR|TMPDIR|TEMP|TMP|PWD|OLDPWD|XDG_[A-Z_]+|[A-Z]+_HOME)(?!\w))[^\s"'`,;]*|%(?:HOME|USERPROFILE|HOMEPATH|HOMEDRIVE|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|ALLUSERSPROFILE|SYSTEMROOT|WINDIR|TEMP|TMP)%[^\s"'`,;]*/g;

/**
 * Addresses of places on this machine that only a program knows, as in `vscode-userdata:/User/settings.json`: those of editors, and
 * a whole text that is an address without a host. An address of files says where it leads.
 */
const placesOfPrograms =
  /(?<![\w.+-])(?:vscode-[a-z-]+:\/|[a-z][a-z0-9+.-]+:\/\/file\/)[^\s"'<>`,;|]*|^(?!https?:|data:|file:)[a-z][a-z0-9+.-]+:\/(?!\/[^/])\S*$/gi;

/** Returns why naming this path needs approval; `undefined` if it does not. */
async function concernOf({ path, as }: Named, places: Places): Promise<Words | undefined> {
  const isWhole = as === "whole";
  const outside = (shown: string) =>
    words("It names {path}, which is outside the workspace.", { path: visibleLine(shown, 200) });
  if (path === "/dev/null") return undefined;
  // What these stand for, only the tool's program knows.
  if (
    as === "variable" ||
    isCutOff(path) ||
    /^~[\w.-]*\//.test(path) ||
    (isWhole && /^(?:~[\w.-]*$|\$(?:\w+|\{\w+\}|\([\w ]+\))\/)/.test(path))
  ) {
    return outside(path);
  }
  if (path.split("/").some((name) => name.length > longestName)) {
    // No file has such a name, but a program may take it out together with the `..` that follows.
    return /(?:^|\/)\.\.(?:\/|$)/.test(path) ? outside(path) : undefined;
  }
  try {
    const located = await places.guard.locate(isWhole ? path : path.replace(/^\/{2,}/, "/"));
    const { inside, ignored, protection, secret } = located;
    const isDrive = /^[a-z]:\//i.test(located.path);
    if (!inside || isDrive) {
      const isRoute = path.startsWith("/") && !(await mayBeMade(located.path, places));
      const isNamed = isWhole || isDrive || (as === "word" && !isRoute);
      const counts = isNamed || (await exists(located.path, places));
      return counts ? outside(located.path) : undefined;
    }
    const real = visibleLine(located.path, 200);
    const isThere = () => exists(located.path, places);
    if (ignored !== undefined && (isWhole || (await isThere()))) {
      return words("It names {path}, which is hidden from experts.", { path: real });
    }
    if (protection !== undefined && (isWhole || looksLikeFile(path) || (await isThere()))) {
      return words("It names {path}. {why}", { path: real, why: protection });
    }
    if (secret && (await isThere())) {
      return words("It names {path}, which may hold keys or passwords.", { path: real });
    }
  } catch (error) {
    return words("It names {path}, which cannot be looked at: {why}", {
      path: visibleLine(path, 200),
      why: saidBy(error),
    });
  }
  return undefined;
}

/** Returns whether a path climbs from what a program puts before it, as in `{root}/../x`. */
function isCutOff(path: string): boolean {
  return path.startsWith("/") && /\/\.\.(?:\/|$)/.test(path);
}

/** Returns whether a file can be made at a path outside: routes of servers and signs of code begin with a slash, too. */
async function mayBeMade(path: string, places: Places): Promise<boolean> {
  const folder = path.replace(/\/[^/]*$/, "");
  return folder !== "" && exists(folder, places);
}

/** Returns whether a word is a name that stands for a file, rather than a word of a language or a field in code. */
function looksLikeFile(word: string): boolean {
  return /^\.|\/|\.(?:md|jsonc?|[cm]?[jt]s|toml|ya?ml|xml|ini|py|el|lua|conf)$/i.test(word);
}

async function exists(path: string, { files }: Places): Promise<boolean> {
  try {
    return (await files.stat(path)) !== undefined;
  } catch (error) {
    // One that is hidden or cannot be looked at may be there.
    if (error instanceof UserError) return true;
    throw error;
  }
}
