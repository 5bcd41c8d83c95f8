import { type Words, words } from "../../text/words.js";
import type { Word } from "../line/word.js";
import { programName } from "../line/wrappers.js";
import { onlyPrints } from "../reading/sedReadOnly.js";
import { gitWrites } from "./gitWrites.js";
import { programOperands, valuesOf } from "./programOperands.js";
import type { Copies, WriteTargets } from "./writes.js";

type Writer = (args: readonly Word[]) => WriteTargets;

const each =
  (valued = ""): Writer =>
  (args) => ({ files: programOperands(args, valued).operands });
const changed: Writer = (args) => {
  const { operands, flags } = programOperands(args, "");
  const isRecursive = flags.some(({ text }) => /^-[a-zA-Z]*R|^--rec/.test(text));
  // The first one may be the mode or the owner, which may also be given as a flag, as in `-x`.
  const targets = operands.slice(1);
  return { perhaps: operands, ...(isRecursive ? { trees: targets } : { files: targets }) };
};
const unnamed =
  (what: Words): Writer =>
  () => ({ unnamed: what });
const inside = words("What it writes is named inside of its input.");
const packed: Writer = (args) => ({ files: programOperands(args, "-S --suffix").operands });
/** Makes a writer of the files that the values of these flags name. */
const valued =
  (outputs: string, others = ""): Writer =>
  (args) => ({ files: valuesOf(programOperands(args, `${outputs} ${others}`), outputs) });
const address = words("The name of the file that it writes comes from an address.");

const writers: Readonly<Record<string, Writer>> = {
  touch: each("-d -r -t --date --reference --time"),
  mkdir: each("-m --mode"),
  rmdir: each(),
  unlink: each(),
  truncate: each("-s -r --size --reference"),
  tee: each(),
  sponge: each(),
  mkfifo: each("-m --mode"),
  mknod: each("-m --mode"),
  shred: each("-n -s --iterations --size --random-source"),
  split: each("-a -b -C -l -n -t --suffix-length --bytes --line-bytes --lines --number --filter"),
  csplit: valued("-f --prefix", "-b -n --suffix-format --digits"),
  rm: (args) => ({ trees: programOperands(args, "").operands }),
  chmod: changed,
  chown: changed,
  chgrp: changed,
  cp: copied("-S --suffix"),
  install: (args) => {
    const values = "-m -o -g -S --mode --owner --group --suffix --strip-program";
    const { operands, flags } = programOperands(args, values);
    const makesFolders = flags.some(({ text }) => /^-[a-zA-Z]*d|^--d/.test(text));
    return makesFolders ? { files: operands } : copied(values)(args);
  },
  ln: linked,
  link: linked,
  rsync: copied(
    "-e -f -T -B -M --exclude --include --rsh --filter --exclude-from --include-from --files-from --temp-dir --backup-dir --log-file --partial-dir --compare-dest --copy-dest --link-dest --password-file --port --rsync-path --suffix --max-size --min-size --timeout --chmod --chown --out-format",
    true,
  ),
  scp: copied("-i -P -F -o -l -c -J -S -D -X", true),
  mv: (args) => {
    const { copies = [] } = copied("-S --suffix")(args);
    return { copies, trees: copies.flatMap(({ from }) => from) };
  },
  dd: (args) => ({
    files: args
      .filter(({ kind, text }) => kind !== "literal" || text.startsWith("of="))
      .map((word) => (word.kind === "literal" ? { ...word, text: word.text.slice(3) } : word)),
  }),
  sed: editedBySed,
  gsed: editedBySed,
  perl: edited,
  ruby: edited,
  sort: valued(
    "-o --output",
    "-k -t -S -T --key --field-separator --buffer-size --temporary-directory --compress-program --files0-from --random-source --parallel --batch-size --sort",
  ),
  tree: valued("-o", "-L -P -I -H -T"),
  uniq: (args) => ({ files: programOperands(args, "-f -s -w").operands.slice(1) }),
  xxd: (args) => ({ files: programOperands(args, "-c -g -l -s -o").operands.slice(1) }),
  script: (args) => ({ files: programOperands(args, "-c -o -E --command -T -I -O").operands }),
  find: found,
  git: gitWrites,
  patch: unnamed(inside),
  unzip: unnamed(inside),
  unrar: unnamed(inside),
  unar: unnamed(inside),
  "7z": unnamed(inside),
  "7za": unnamed(inside),
  "7zz": unnamed(inside),
  cpio: unnamed(inside),
  pax: unnamed(inside),
  ar: unnamed(inside),
  jar: unnamed(inside),
  uudecode: unnamed(inside),
  ed: unnamed(inside),
  ex: unnamed(inside),
  vi: unnamed(inside),
  vim: unnamed(inside),
  nvim: unnamed(inside),
  view: unnamed(inside),
  emacs: unnamed(inside),
  tar: archived,
  gtar: archived,
  bsdtar: archived,
  gzip: packed,
  gunzip: packed,
  bzip2: packed,
  bunzip2: packed,
  xz: packed,
  unxz: packed,
  zip: (args) => ({ files: programOperands(args, "-x -i -b -O").operands.slice(0, 1) }),
  curl: (args) => {
    const given = programOperands(args, `${curlOutputs} ${curlOthers}`);
    const files = valuesOf(given, curlOutputs);
    if (valuesOf(given, "-K --config").length > 0) return { files, unnamed: inside };
    const isNamed = given.flags.some(({ text }) => /^-[a-zA-Z#]*[OJ]|^--remote-(n|h)/.test(text));
    return isNamed ? { files, unnamed: address } : { files };
  },
  wget: (args) => {
    const given = programOperands(args, `${wgetOutputs} ${wgetOthers}`);
    const files = valuesOf(given, wgetOutputs);
    const isNamed = valuesOf(given, "-O --output-document").length > 0;
    return isNamed ? { files } : { files, unnamed: address };
  },
};

const curlOutputs =
  "-o -c -D --output --output-dir --cookie-jar --dump-header --etag-save --trace --trace-ascii --stderr --libcurl --hsts --alt-svc";
const curlOthers =
  "-A -b -C -d -e -E -F -H -K -m -P -Q -r -t -T -u -U -w -x -X -y -Y -z --config --data --header --request --user --url --proxy --form --upload-file --user-agent";
const wgetOutputs =
  "-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies --rejected-log --warc-file --hsts-file";
const wgetOthers = "-e -t -T -w -Q -U -B -i -A -R -D -I -X -l --execute --header --user-agent";

/**
 * Returns what a command writes, as its words show it.
 *
 * @param typed with a literal name first
 */
export function writeTargets(typed: readonly Word[]): WriteTargets {
  const name = programName(typed[0]);
  const writer = Object.hasOwn(writers, name) ? writers[name] : undefined;
  return (writer ?? outputFlags)(typed.slice(1));
}

/**
 * Makes a writer for a program that copies files.
 *
 * @param mayBeRemote whether `host:path` is a place on another machine
 */
function copied(values: string, mayBeRemote = false): Writer {
  return (args) => {
    const folders = "-t --target-directory";
    const given = programOperands(args, `${values} ${folders}`);
    const { operands, flags } = given;
    const has = (pattern: RegExp) => flags.some(({ text }) => pattern.test(text));
    const keepsFolders = has(mayBeRemote ? /^--rel|^-[a-zA-Z]*R/ : /^--pa/);
    // A hard link shares its content with its source, so writing to the link writes to the source.
    const isHard = has(/^--l|^-[a-zA-Z]*l/) && !mayBeRemote;
    const [folder] = valuesOf(given, folders);
    const to = folder ?? operands.at(-1);
    if (to === undefined || (folder === undefined && operands.length === 1)) return {};
    const from = folder === undefined ? operands.slice(0, -1) : operands;
    const copies: Copies[] = [{ from, to, mayBeRemote, keepsFolders }];
    const logs = mayBeRemote ? valuesOf(given, "--log-file --backup-dir --temp-dir") : [];
    return {
      copies,
      files: isHard ? [...logs, ...from] : logs,
      trees: mayBeRemote && has(/^--del/) ? [to] : [],
    };
  };
}

/**
 * Returns what a program that makes links writes. A hard link is another name of its source, so
 * that counts as written.
 */
function linked(args: readonly Word[]): WriteTargets {
  const folders = "-t --target-directory";
  const given = programOperands(args, `-S --suffix ${folders}`);
  const { operands, flags } = given;
  const isSymbolic = flags.some(({ text }) => /^-[a-zA-Z]*s|^--s/.test(text));
  const [folder] = valuesOf(given, folders);
  const last = operands.length > 1 ? operands.at(-1) : undefined;
  // Without a target, the link gets the name of its source, in this folder.
  const to = folder ?? last ?? { kind: "literal", text: "." };
  const from = folder === undefined && last !== undefined ? operands.slice(0, -1) : operands;
  const copies: Copies[] = [{ from, to, links: true }];
  return isSymbolic ? { copies } : { copies, files: from };
}

function editedBySed(args: readonly Word[]): WriteTargets {
  const expressions = "-e -f --expression --file";
  const given = programOperands(args, `${expressions} -l --line-length -i?`);
  const { operands, flags } = given;
  const inPlace = flags.some(({ text }) => /^-[a-zA-Z]*i|^--i/.test(text));
  const isGiven = valuesOf(given, expressions).length > 0;
  if (inPlace) return { files: operands.slice(isGiven ? 0 : 1) };
  const scripts = [...valuesOf(given, "-e --expression"), ...(isGiven ? [] : operands.slice(0, 1))];
  const mayWrite =
    valuesOf(given, "-f --file").length > 0 ||
    scripts.some(({ kind, text }) => {
      return (
        kind !== "literal" || (!onlyPrints(text) && /(^|[\s;{}/|#,!\dgpIM$])[wW]\s*\S/.test(text))
      );
    });
  return mayWrite ? { unnamed: words("Its script may write files.") } : {};
}

/** Returns the files that Perl and Ruby edit with `-i`, in any bundle of letters. */
function edited(args: readonly Word[]): WriteTargets {
  const { operands, flags } = programOperands(args, "-e -E -I -M -m -r -C -F?");
  if (!flags.some(({ text }) => /^-[a-zA-Z0-9]*i/.test(text))) return {};
  // Only existing files are edited. Letters behind the `i` are a suffix, so the script may be among
  // these.
  return { perhaps: operands };
}

function found(args: readonly Word[]): WriteTargets {
  const files = args.filter((_, index) =>
    /^-f(print0?|printf|ls)$/.test(args[index - 1]?.text ?? ""),
  );
  const begin = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = begin < 0 ? args : args.slice(0, begin);
  const deletes = args.some(({ text }) => text === "-delete");
  const here: Word = { kind: "literal", text: "." };
  return { files, ...(deletes ? { trees: starts.length === 0 ? [here] : starts } : {}) };
}

function archived(args: readonly Word[]): WriteTargets {
  const [mode] = args;
  const isFlag = (letter: RegExp) =>
    args.some(
      ({ text }, index) =>
        (index === 0 && /^[a-zA-Z]+$/.test(text) ? letter : /^-[a-zA-Z]/).test(text) &&
        letter.test(text),
    );
  if (mode === undefined || isFlag(/x/) || args.some(({ text }) => /^--(ext|ge)/.test(text))) {
    return { unnamed: inside };
  }
  if (isFlag(/t/)) return {};
  // After letters without a dash, the values follow in their order.
  if (!mode.text.startsWith("-")) return { files: args.slice(1, 2), perhaps: args.slice(2) };
  return valued("-f --file", "-C --directory -X --exclude -T --files-from -I")(args);
}

/** Matches usual names of a flag for a file or folder to write, such as `-o` and `--out-dir`. */
const output =
  /^(?:-o|-out|--?(?:out(?:put|file|dir)?|out(?:put)?-[a-z-]+|out(?:File|Dir)|dest(?:ination)?(?:-[a-z-]+)?|target-dir(?:ectory)?|log-?file|report-?(?:file|dir)?|save(?:-[a-z-]+)?|export(?:-[a-z-]+)?|dump(?:-[a-z-]+)?))$/;
/** Flags with which formatters and similar programs overwrite the files that they read. */
const inPlace = /^(?:-i|-w|--write|--fix|--in-?place|--apply)$/;

/** Returns what an unknown program writes, going by what flags are usually called. */
function outputFlags(args: readonly Word[]): WriteTargets {
  const files = args.flatMap((word, index): Word[] => {
    const [flag = ""] = word.text.split("=", 1);
    if (!output.test(flag)) {
      const [, rest] = /^-o([^-=].*)$/s.exec(word.text) ?? [];
      return rest === undefined || /^(?:ut|pt)/.test(rest) ? [] : [{ ...word, text: rest }];
    }
    if (flag !== word.text) return [{ ...word, text: word.text.slice(flag.length + 1) }];
    const next = args[index + 1];
    return next === undefined || /^-./.test(next.text) ? [] : [next];
  });
  const { operands } = programOperands(args, "");
  return args.some(({ text }) => inPlace.test(text)) ? { files, perhaps: operands } : { files };
}
