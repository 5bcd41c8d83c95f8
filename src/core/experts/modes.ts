import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Patterns } from "../ports/search.js";
import { readOwnDocument } from "../access/namedFile.js";
import { builtInModes, documenterSlug } from "./builtInModes.js";
import type { Mode } from "./mode.js";
import type { ModeProblem } from "./modeFile.js";

const modeFilePath = ".roomodes";

/** The most bytes of a mode file; a larger one cannot be used. */
const maxSize = 500_000;

/** The built-in modes and the workspace's own, which may replace a built-in one of the same slug. */
export class Modes {
  #text: string | undefined;
  #modes: ReadonlyMap<string, Mode> = builtInModes;
  #problems: readonly ModeProblem[] = [];

  /**
   * @param patterns runs the expressions of the mode file
   * @param documents returns whether planners may give tasks to the documenter; called at each use
   */
  constructor(
    private readonly files: FileSystem,
    private readonly patterns: Patterns,
    private readonly documents: () => boolean = () => false,
  ) {}

  get all(): ReadonlyMap<string, Mode> {
    return this.#modes;
  }

  /** The modes that a planner may give tasks to. */
  get assignable(): Mode[] {
    return [...this.#modes.values()].filter(
      ({ slug, whenToUse }) =>
        whenToUse !== undefined && (slug !== documenterSlug || this.documents()),
    );
  }

  /** The parts of the mode file that could not be used. */
  get problems(): readonly ModeProblem[] {
    return this.#problems;
  }

  /** Reads the mode file again if it changed. The parser loads when there is something to parse. */
  async refresh(): Promise<void> {
    let text: string | undefined;
    try {
      const bytes = await readOwnDocument(modeFilePath, this.files, maxSize);
      text = bytes && new TextDecoder().decode(bytes);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#text = undefined;
      this.#modes = builtInModes;
      this.#problems = [{ path: modeFilePath, line: 1, column: 1, message: error.message }];
      return;
    }
    if (text === this.#text && text !== undefined) return;
    this.#text = text;
    if (text === undefined || text.trim() === "") {
      this.#modes = builtInModes;
      this.#problems = [];
      return;
    }
    const { parseModeFile } = await import("./modeFile.js");
    const { modes, unclear, problems } = parseModeFile(text, modeFilePath, this.patterns);
    const all = new Map([...builtInModes, ...modes.map((mode) => [mode.slug, mode] as const)]);
    for (const slug of unclear) {
      // The file was meant to say what this mode may write. Without the file it might be allowed more.
      const mode = all.get(slug);
      if (mode !== undefined) all.set(slug, { ...mode, writes: "ownTaskFolder" });
    }
    this.#modes = all;
    this.#problems = problems;
  }
}
