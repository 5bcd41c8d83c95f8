import type { Word } from "./word.js";
import { programName } from "./wrappers.js";
import { gitWrites } from "./gitWrites.js";
import { programOperands } from "./programOperands.js";
import { onlyPrints } from "./sedReadOnly.js";
import type { WriteTargets } from "./writes.js";

type Writer = (args: readonly Word[]) => WriteTargets;

const each =
  (valued = ""): Writer =>
  (args) => ({ files: programOperands(args, valued).operands });
const changed: Writer = (args) => {
  const { operands, flags } = programOperands(args, "");
  const targets = flags.some(({ text }) => text.startsWith("--reference"))
    ? operands
    : operands.slice(1);
  return flags.some(({ text }) => /^-[a-zA-Z]*R|^--recursive/.test(text))
    ? { trees: targets }
    : { files: targets };
};
const unnamed =
  (what: string): Writer =>
  () => ({ unnamed: what });
const inside = "What it writes is named inside of its input.";
const packed: Writer = (args) => ({ files: programOperands(args, "-S --suffix").operands });

const writers: Readonly<Record<string, Writer>> = {
  touch: each("-d -r -t --date --reference"),
  mkdir: each("-m --mode"),
  rmdir: each(),
  unlink: each(),
  truncate: each("-s -r --size --reference"),
  tee: each(),
  sponge: each(),
  mkfifo: each("-m"),
  shred: each("-n -s"),
  rm: (args) => ({ trees: programOperands(args, "").operands }),
  chmod: changed,
  chown: changed,
  chgrp: changed,
  cp: (args) => copied(args, "-S --suffix"),
  install: (args) => copied(args, "-m -o -g -S --mode --owner --group"),
  ln: (args) => copied(args, "-S --suffix"),
  rsync: (args) => copied(args, "-e -f --exclude --include --rsh --filter"),
  scp: (args) => copied(args, "-i -P -F -o -l -c"),
  mv: (args) => {
    const { copies = [] } = copied(args, "-S --suffix");
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
  sort: (args) => ({ files: valueOf(args, /^(-[a-zA-Z]*o|--output)$/, /^(?:-o|--output=)(.+)/) }),
  tree: (args) => ({ files: valueOf(args, /^-o$/, /^-o(.+)/) }),
  uniq: (args) => ({ files: programOperands(args, "-f -s -w").operands.slice(1) }),
  xxd: (args) => ({ files: programOperands(args, "-c -g -l -s -o").operands.slice(1) }),
  find: found,
  git: gitWrites,
  patch: unnamed(inside),
  unzip: unnamed(inside),
  "7z": unnamed(inside),
  cpio: unnamed(inside),
  ed: unnamed(inside),
  ex: unnamed(inside),
  vi: unnamed(inside),
  vim: unnamed(inside),
  tar: archived,
  bsdtar: archived,
  gzip: packed,
  gunzip: packed,
  bzip2: packed,
  bunzip2: packed,
  xz: packed,
  unxz: packed,
  zip: (args) => ({ files: programOperands(args, "-x -i").operands.slice(0, 1) }),
  curl: (args) => ({
    files: valueOf(args, /^(-[a-zA-Z]*o|--output)$/, /^(?:-o|--output=)(.+)/),
    ...(args.some(({ text }) => /^-[a-zA-Z]*O|^--remote-name/.test(text))
      ? { unnamed: "The name of the file that it writes comes from an address." }
      : {}),
  }),
  wget: (args) => {
    const files = valueOf(
      args,
      /^(-[a-zA-Z]*O|--output-document)$/,
      /^(?:-O|--output-document=)(.+)/,
    );
    return files.length > 0
      ? { files }
      : { unnamed: "The name of the file that it writes comes from an address." };
  },
};

/** @param words with a literal name first */
export function writeTargets(words: readonly Word[]): WriteTargets {
  const name = programName(words[0]);
  const writer = Object.hasOwn(writers, name) ? writers[name] : undefined;
  return writer?.(words.slice(1)) ?? {};
}

function copied(args: readonly Word[], valued: string): WriteTargets {
  const { operands, flags, values } = programOperands(args, `${valued} -t --target-directory`);
  const given = values.get("-t") ?? values.get("--target-directory");
  const attached = flags.find(({ text }) => text.startsWith("--target-directory="));
  const folder = given ?? (attached && { ...attached, text: attached.text.replace(/^[^=]*=/, "") });
  const isMade = flags.some(({ text }) => /^(-d|--directory)$/.test(text));
  if (folder !== undefined) return { copies: [{ from: operands, to: folder }] };
  const to = operands.at(-1);
  if (to === undefined) return {};
  if (operands.length === 1 || isMade) {
    // A link to one file gets its name, here; `install -d` makes folders.
    return isMade
      ? { files: operands }
      : { copies: [{ from: operands, to: { kind: "literal", text: "." } }] };
  }
  return { copies: [{ from: operands.slice(0, -1), to }] };
}

function editedBySed(args: readonly Word[]): WriteTargets {
  const { operands, flags, values } = programOperands(args, "-e -f -l --expression --file");
  const inPlace = flags.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/.test(text));
  const isGiven = values.size > 0 || flags.some(({ text }) => /^--(expression|file)=/.test(text));
  if (inPlace) return { files: operands.slice(isGiven ? 0 : 1) };
  const scripts = [...values.values(), ...(isGiven ? [] : operands.slice(0, 1))];
  const mayWrite = scripts.some(({ kind, text }) => {
    return (
      kind !== "literal" || (!onlyPrints(text) && /(^|[\s;{}/|#,!\dgpIM$])[wW]\s*\S/.test(text))
    );
  });
  return mayWrite ? { unnamed: "Its script may write files." } : {};
}

function edited(args: readonly Word[]): WriteTargets {
  const { operands, flags, values } = programOperands(args, "-e -E -I -M -r");
  const inPlace = flags.some(({ text }) => /^-[a-zA-Z0-9]*i/.test(text));
  if (!inPlace) return {};
  const isScript =
    values.has("-e") || values.has("-E") || flags.some(({ text }) => /^-[a-zA-Z]+e$/.test(text));
  const skipped =
    flags.some(({ text }) => /^-[a-zA-Z]{2,}e$/.test(text)) && !values.has("-e") ? 1 : 0;
  return { files: operands.slice(isScript ? skipped : 1) };
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
  if (
    mode === undefined ||
    isFlag(/x/) ||
    args.some(({ text }) => /^--(extract|get)$/.test(text))
  ) {
    return { unnamed: inside };
  }
  return isFlag(/t/) ? {} : { files: valueOf(args, /^(-?[a-zA-Z]*f|--file)$/, /^--file=(.+)/) };
}

/** The words behind a flag, and what is in one word with it. */
function valueOf(args: readonly Word[], flag: RegExp, attached: RegExp): Word[] {
  return args.flatMap((word, index) => {
    const [, value] = attached.exec(word.text) ?? [];
    if (value !== undefined) return [{ ...word, text: value }];
    const behind = args[index + 1];
    return flag.test(word.text) && behind !== undefined ? [behind] : [];
  });
}
