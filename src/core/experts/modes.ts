import type { FileSystem } from "../ports.js";
import { builtInModes, documenterSlug } from "./builtInModes.js";
import type { Mode } from "./mode.js";
import type { ModeProblem } from "./modeFile.js";

const modeFilePath = ".roomodes";

/** The built-in modes and the workspace's own, which may replace a built-in one of the same slug. */
export class Modes {
  #text: string | undefined;
  #modes: ReadonlyMap<string, Mode> = builtInModes;
  #problems: readonly ModeProblem[] = [];

  /** @param documents whether planners may give tasks to the documenter; asked anew at each use */
  constructor(
    private readonly files: FileSystem,
    private readonly documents: () => boolean = () => false,
  ) {}

  get all(): ReadonlyMap<string, Mode> {
    return this.#modes;
  }

  /** Those that a planner may give tasks to. */
  get assignable(): Mode[] {
    return [...this.#modes.values()].filter(
      ({ slug, whenToUse }) =>
        whenToUse !== undefined && (slug !== documenterSlug || this.documents()),
    );
  }

  /** What of the mode file could not be used. */
  get problems(): readonly ModeProblem[] {
    return this.#problems;
  }

  /** Reads the mode file again if it changed. The parser loads when there is something to parse. */
  async refresh(): Promise<void> {
    const bytes = await this.files.readFile(modeFilePath);
    const text = bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    if (text === this.#text) return;
    this.#text = text;
    if (text === undefined || text.trim() === "") {
      this.#modes = builtInModes;
      this.#problems = [];
      return;
    }
    const { parseModeFile } = await import("./modeFile.js");
    const { modes, problems } = parseModeFile(text, modeFilePath);
    this.#modes = new Map([...builtInModes, ...modes.map((mode) => [mode.slug, mode] as const)]);
    this.#problems = problems;
  }
}
