import { programOperands } from "./programOperands.js";
import type { Word } from "./word.js";
import type { WriteTargets } from "./writes.js";

/** Git's flags before its command that take the next word. */
const valued = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env";
const inside = "What it writes is named inside of its input.";

/** The paths that git's words name; what a commit or a merge brings along is git's own business. */
export function gitWrites(args: readonly Word[]): WriteTargets {
  const at = commandAt(args);
  const folder = args.slice(0, at).findIndex(({ text }) => text === "-C");
  const from = folder < 0 ? undefined : args[folder + 1];
  const targets = writesOf(args[at]?.text ?? "", args.slice(at + 1));
  const place = (word: Word): Word => (from === undefined ? word : joined(from, word));
  return {
    ...targets,
    ...(targets.files ? { files: targets.files.map(place) } : {}),
    ...(targets.trees ? { trees: targets.trees.map(place) } : {}),
    ...(targets.copies
      ? {
          copies: targets.copies.map(({ from: what, to }) => ({
            from: what.map(place),
            to: place(to),
          })),
        }
      : {}),
  };
}

function commandAt(args: readonly Word[]): number {
  const takes = new Set(valued.split(" "));
  let at = 0;
  for (; at < args.length && (args[at]?.text ?? "").startsWith("-"); at++) {
    if (takes.has(args[at]?.text ?? "")) at++;
  }
  return at;
}

function writesOf(name: string, args: readonly Word[]): WriteTargets {
  const { operands, flags } = programOperands(
    args,
    "-b -B -m -o -c --output --branch --origin --depth",
  );
  const has = (pattern: RegExp) => flags.some(({ text }) => pattern.test(text));
  const output = args.flatMap((word, index): Word[] => {
    if (word.text.startsWith("--output=")) return [{ ...word, text: word.text.slice(9) }];
    return /^(--output|-o)$/.test(args[index - 1]?.text ?? "") ? [word] : [];
  });
  switch (name) {
    case "diff":
    case "show":
    case "log":
    case "archive":
    case "format-patch":
    case "stash":
      return { files: output };
    case "rm":
    case "restore":
      return { trees: operands };
    case "checkout": {
      const dashes = args.findIndex(({ text }) => text === "--");
      return dashes < 0 ? {} : { trees: args.slice(dashes + 1) };
    }
    case "mv": {
      const to = operands.at(-1);
      const from = operands.slice(0, -1);
      return to === undefined ? {} : { trees: from, copies: [{ from, to }] };
    }
    case "apply":
      return has(/^--(check|stat|numstat|summary)$/) ? {} : { unnamed: inside };
    case "am":
      return { unnamed: inside };
    case "clone": {
      const [address, folder] = operands;
      if (folder !== undefined) return { files: [folder] };
      const [, last] = /([^/:]+?)(?:\.git)?\/?$/.exec(address?.text ?? "") ?? [];
      return last === undefined
        ? {}
        : { files: [{ kind: address?.kind ?? "unknown", text: last }] };
    }
    case "init":
      return { files: operands };
    case "worktree":
      return operands[0]?.text === "add" ? { files: operands.slice(1, 2) } : {};
    case "config": {
      const reads =
        has(/^(--get.*|-l|--list|--show-.*)$/) || /^(get|list)$/.test(operands[0]?.text ?? "");
      if (reads || (operands.length === 1 && flags.length === 0)) return {};
      // What is set there can run programs.
      const file = has(/^--(global|system)$/) ? "/etc/gitconfig" : ".git/config";
      return { files: [{ kind: "literal", text: file }] };
    }
    default:
      return {};
  }
}

function joined(folder: Word, word: Word): Word {
  if (folder.kind !== "literal" || word.text.startsWith("/"))
    return folder.kind === "literal" ? word : folder;
  return { ...word, text: `${folder.text}/${word.text}` };
}
