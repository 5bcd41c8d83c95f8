import { type Words, words } from "../../text/words.js";
/** A path that a command looks at, as it was typed. */
export interface Read {
  readonly path: string;
  /**
   * The part of the path that the command reads.
   *
   * - `name`: whether it is there, its size and the like, and the names of what is in it.
   * - `file`: the content of the file.
   * - `tree`: the contents of all files below it.
   * - `repository`: what git finds from this folder.
   * - `work tree`: the same, and git compares the files with it.
   */
  readonly how: "name" | "file" | "tree" | "repository" | "work tree";
  /** Returns by its name whether a file of a `tree` is read. Absent: all files are. */
  readonly only?: (name: string) => boolean;
  /**
   * Returns whether a name in a `tree` is skipped, with all below it, unless an ignore file brings it
   * back.
   */
  readonly skips?: (name: string) => boolean;
  /**
   * Whether git shows the contents of committed files, whichever they are (for `repository` and
   * `work tree`).
   */
  readonly shows?: boolean;
  /** Whether these may be files of earlier commits, too, and not only those of git's index. */
  readonly past?: boolean;
  /** Names that stand for commits or files of git's, maybe some that no branch leads to. */
  readonly objects?: readonly string[];
  /** Whether git shows the addresses of other repositories, which may have a login in them. */
  readonly showsAddresses?: boolean;
  /** The only files and folders that git shows something of. Absent: all of them. */
  readonly within?: readonly string[];
  /** Whether git shows the repositories inside a `work tree`, including those of other commits. */
  readonly looksInside?: boolean;
  /** Whether links in a `tree` are followed. */
  readonly follows?: boolean;
}

/** The paths that a read-only command reads, or why it may do more than read. */
export type ReadOnlyAnswer = readonly Read[] | Words;

/** The kind of a value or an operand; `text` and `number` name no file. */
type Kind = "text" | "number" | "none" | "name" | "file" | "tree";

interface Flag {
  readonly value: Kind | "absent";
  /** Whether a value can only be a part of the same word. */
  readonly attached: boolean;
}

/** The flags of a program that are known to do no harm, and what its operands are. */
export interface Usage {
  readonly flags: ReadonlyMap<string, Flag>;
  readonly operands: Kind;
  readonly mostOperands: number;
}

export interface Arguments {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
  readonly reads: readonly Read[];
}

/**
 * Returns the usage that a short description stands for.
 *
 * @param flags separated by blanks: `-abc` is three short ones, `-n:number` one with a value in the
 *   same word or the next, `--color?` one whose value can only be a part of its word, `-#` any
 *   number
 */
export function usage(flags: string, operands: Kind, mostOperands = Infinity): Usage {
  const known = new Map<string, Flag>();
  for (const spec of flags.split(/\s+/).filter(Boolean)) {
    const [, name = "", rest = ""] = /^(--[\w-]+|-[^:?]+)(.*)/s.exec(spec) ?? [];
    const value: Flag["value"] = rest.startsWith(":")
      ? (rest.slice(1) as Kind)
      : rest === "?"
        ? "text"
        : "absent";
    const flag = { value, attached: rest === "?" };
    if (name.startsWith("--") || rest !== "") known.set(name, flag);
    else for (const letter of name.slice(1)) known.set(`-${letter}`, flag);
  }
  return { flags: known, operands, mostOperands };
}

/**
 * Takes arguments apart, exactly as spelled. Returns a sentence if one of them is not listed,
 * abbreviations included.
 */
export function readArguments(usage: Usage, args: readonly string[]): Arguments | Words {
  const reader = new ArgumentReader(usage, args);
  const problem = reader.readAll();
  if (problem !== undefined) return problem;
  const { flags, operands, reads } = reader;
  if (operands.length > usage.mostOperands)
    return words("{operand} is one operand too many.", { operand: operands.at(-1) ?? "" });
  return { flags, operands, reads };
}

/** Reads arguments from the first to the last. Its methods return a sentence if one must not be. */
class ArgumentReader {
  readonly flags = new Map<string, string[]>();
  readonly operands: string[] = [];
  readonly reads: Read[] = [];
  /** The index of the argument that is read. */
  private at = 0;

  constructor(
    private readonly usage: Usage,
    private readonly args: readonly string[],
  ) {}

  readAll(): Words | undefined {
    let onlyOperands = false;
    for (; this.at < this.args.length; this.at++) {
      const arg = this.args[this.at] ?? "";
      if (!onlyOperands && arg === "--") {
        onlyOperands = true;
        continue;
      }
      const isOperand = onlyOperands || arg === "-" || !arg.startsWith("-");
      const problem = isOperand ? this.readOperand(arg) : this.readFlags(arg);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private readOperand(arg: string): Words | undefined {
    this.operands.push(arg);
    return arg === "-" ? undefined : this.give(this.usage.operands, arg);
  }

  private readFlags(arg: string): Words | undefined {
    if (/^-\d+$/.test(arg) && this.usage.flags.has("-#")) {
      this.note("-#", arg.slice(1));
      return undefined;
    }
    const long = /^(--[^=]+)(?:=([^]*))?$/.exec(arg);
    return long ? this.readLong(arg, long[1] ?? "", long[2]) : this.readShort(arg);
  }

  private readLong(arg: string, name: string, attached: string | undefined): Words | undefined {
    const flag = this.usage.flags.get(name);
    if (flag === undefined) return unknownFlag(name);
    if (flag.value === "absent" && attached !== undefined) return unknownFlag(arg);
    const value = attached ?? (flag.value === "absent" || flag.attached ? "" : this.next());
    if (value === undefined) return words("{flag} needs a value.", { flag: name });
    this.note(name, value);
    const isGiven = attached !== undefined || (flag.value !== "absent" && !flag.attached);
    return isGiven ? this.give(flag.value, value) : undefined;
  }

  /** Reads one or more flags of one letter each; a value ends them. */
  private readShort(arg: string): Words | undefined {
    for (let letter = 1; letter < arg.length; letter++) {
      const name = `-${arg.charAt(letter)}`;
      const flag = this.usage.flags.get(name);
      if (flag === undefined) return unknownFlag(letter === 1 ? arg : name, arg);
      if (flag.value === "absent") {
        this.note(name, "");
        continue;
      }
      const attached = arg.slice(letter + 1);
      const value = attached !== "" || flag.attached ? attached : this.next();
      if (value === undefined) return words("{flag} needs a value.", { flag: name });
      this.note(name, value);
      return value === "" ? undefined : this.give(flag.value, value);
    }
    return undefined;
  }

  /** Takes a value from the next word. However the program reads it, it must not be a flag, too. */
  private next(): string | undefined {
    const value = this.args[++this.at];
    return value === undefined || /^-\D/.test(value) ? undefined : value;
  }

  private note(flag: string, value: string): void {
    this.flags.set(flag, [...(this.flags.get(flag) ?? []), value]);
  }

  /** Records the file that a value names. */
  private give(kind: Kind | "absent", value: string): Words | undefined {
    if (kind === "number" && !/^[+-]?\d+(\.\d+)?[A-Za-z]*$/.test(value))
      return words("{value} is no number.", { value });
    if (kind === "none") return words("It takes no {value}.", { value });
    if (kind === "name" || kind === "file") this.reads.push({ path: value, how: kind });
    if (kind === "tree") this.reads.push({ path: value, how: kind, follows: true });
    return undefined;
  }
}

/** @param argument the word that the flag is in */
function unknownFlag(flag: string, argument = flag): Words {
  return flag === argument
    ? words("Its flag {flag} is not known to be harmless.", { flag })
    : words("Its flag {flag} in {argument} is not known to be harmless.", { flag, argument });
}
