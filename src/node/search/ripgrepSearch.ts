import { spawn } from "node:child_process";
import { isAbsolute, resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  type FileQuery,
  type MatchQuery,
  mostSearchedBytes,
  type Search,
  type SearchMatch,
} from "../../core/ports/search.js";
import { filePattern } from "../../core/text/globPattern.js";
import { GitIgnoreRules } from "../files/gitIgnoreRules.js";
import { shownMatch, WalkSearch } from "./walkSearch.js";

interface Matches {
  readonly matches: SearchMatch[];
  readonly truncated: boolean;
}
/** Text from ripgrep, or base64 of bytes that are no text. */
type Data = { readonly text: string } | { readonly bytes: string };
/** A line of `rg --json`, with the fields that are read here. */
interface Message {
  readonly type: string;
  readonly data: {
    readonly path?: Data;
    readonly lines?: Data;
    readonly line_number?: number;
    readonly binary_offset?: number | null;
  };
}

/** Searches contents with ripgrep; {@link WalkSearch} does everything that ripgrep cannot do. */
export class RipgrepSearch implements Search {
  private readonly walk: WalkSearch;

  /**
   * @param root the workspace folder's absolute path
   * @param program the absolute path of `rg`
   * @param patienceMs milliseconds after which it is ended: it waits for ever where a `.gitignore` is a pipe
   */
  constructor(
    private readonly root: string,
    private readonly program: string,
    private readonly patienceMs = 60_000,
  ) {
    this.walk = new WalkSearch(root);
  }

  async matches(
    query: MatchQuery,
    signal: AbortSignal,
  ): Promise<{ matches: SearchMatch[]; truncated: boolean }> {
    signal.throwIfAborted();
    const found = await this.run(query, signal);
    signal.throwIfAborted();
    // ripgrep's syntax is not JavaScript's, which alone knows look-around.
    return found ?? this.walk.matches(query, signal);
  }

  files(query: FileQuery, signal: AbortSignal): Promise<{ paths: string[]; truncated: boolean }> {
    return this.walk.files(query, signal);
  }

  ignored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    return this.walk.ignored(paths);
  }

  /** Runs ripgrep; `undefined` if it cannot be run, does not understand the expression, or does not come to its end. */
  private async run(query: MatchQuery, signal: AbortSignal): Promise<Matches | undefined> {
    const child = spawn(this.program, await this.flags(query), {
      cwd: this.root,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const ended = new Promise<void>((done) => {
      child.once("close", () => {
        done();
      });
      child.once("error", () => {
        done();
      });
    });
    const stop = () => child.kill();
    signal.addEventListener("abort", stop, { once: true });
    const patience = setTimeout(stop, this.patienceMs);
    try {
      const collected = await collect(createInterface({ input: child.stdout }), query);
      if (collected.truncated) return collected;
      // It may have been unable to read some files; without a summary, the search itself has failed.
      await ended;
      return collected.complete ? collected : undefined;
    } finally {
      clearTimeout(patience);
      signal.removeEventListener("abort", stop);
      stop();
    }
  }

  private async flags({ regex, path, filePattern }: MatchQuery): Promise<string[]> {
    const flags = [
      "--no-config",
      "--json",
      "--sort=path",
      "--crlf",
      "--no-mmap",
      "--encoding=none",
    ];
    flags.push("--hidden", "--glob=!.git", `--max-filesize=${mostSearchedBytes}`);
    flags.push("--no-require-git", "--no-ignore-global", "--no-ignore-exclude", "--no-ignore-dot");
    if (path !== ".rooroo" && !path.startsWith(".rooroo/")) flags.push("--glob=!/.rooroo");
    const folder = resolve(this.root, path);
    if (await GitIgnoreRules.isIgnored(folder)) flags.push("--no-ignore-parent");
    // Only preselects by the name's ending; `collect` matches the pattern itself, which would override
    // .gitignore here.
    if (filePattern !== undefined && /^\*\.[\w.]+$/.test(filePattern)) {
      flags.push(`--type-add=wanted:${filePattern}`, "--type=wanted");
    }
    return [...flags, `--regexp=${regex}`, "--", isAbsolute(path) ? path : `./${path}`];
  }
}

async function collect(
  lines: AsyncIterable<string>,
  query: MatchQuery,
): Promise<Matches & { complete: boolean }> {
  const wanted = query.filePattern === undefined ? undefined : filePattern(query.filePattern);
  const matches: SearchMatch[] = [];
  let ofFile: SearchMatch[] = [];
  let complete = false;
  for await (const json of lines) {
    const { type, data } = JSON.parse(json) as Message;
    if (type === "match") {
      const path = textOf(data.path).replaceAll("\\", "/").replace(/^\.\//, "");
      const text = textOf(data.lines).replace(/\r?\n$/, "");
      const enough = matches.length + ofFile.length > query.limit;
      if (enough || wanted?.(path) === false || query.hides?.(path) === true) continue;
      ofFile.push({ path, line: data.line_number ?? 0, text: shownMatch(text) });
    } else if (type === "end") {
      // Whether a file is binary is known only at its end.
      if (typeof data.binary_offset !== "number") matches.push(...ofFile);
      ofFile = [];
      if (matches.length > query.limit) {
        return { matches: matches.slice(0, query.limit), truncated: true, complete };
      }
    } else if (type === "summary") complete = true;
  }
  return { matches, truncated: false, complete };
}

function textOf(data: Data | undefined): string {
  if (!data) return "";
  return "text" in data ? data.text : Buffer.from(data.bytes, "base64").toString("utf8");
}
