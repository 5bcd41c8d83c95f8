import { readOwnDocument } from "../access/namedFile.js";
import { meantExpert } from "../documents/meant/meantWord.js";
import { saidBy, UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Patterns } from "../ports/search.js";
import { readableText } from "../text/readableText.js";
import { tagged } from "../text/tagged.js";
import { toolEntry } from "../tools/toolTable.js";
import { builtInModes, documenterSlug } from "./builtInModes.js";
import { isNoExpert, type Mode, type WriteScope } from "./mode.js";
import type { ModeProblem } from "./modeProblem.js";

const modeFilePath = ".roomodes";

/** The most bytes of a mode file; a larger one cannot be used. */
const maxSize = 5_000_000;

/** The built-in experts to which requests may be given without a plan (R-ROO-13, R-ROO-14). */
const directSlugs: readonly string[] = ["rooroo-developer", "rooroo-analyzer"];

/** Returns whether no mode of a file can have this slug for itself: it is an expert of Rooroo's, or another agent. */
export function isReservedSlug(slug: string): boolean {
  return isNoExpert(slug) || builtInModes.has(slug);
}

/**
 * The built-in modes and the workspace's own. A mode of the file with a built-in slug adds its words to the
 * built-in one and may narrow what it may do; it neither widens that nor changes what the expert is for.
 */
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

  /** Returns the slug of the mode that a name means; `undefined` if none or more than one is meant. */
  named(name: string): string | undefined {
    return this.#modes.has(name) ? name : meantExpert(name, [...this.#modes.values()]);
  }

  /** The modes that a planner may give tasks to. */
  get assignable(): Mode[] {
    return [...this.#modes.values()].filter(
      ({ slug, whenToUse }) =>
        whenToUse !== undefined && (slug !== documenterSlug || this.documents()),
    );
  }

  /** The modes to which the user, or triage, may give a task without a plan. */
  get direct(): Mode[] {
    return this.assignable.filter(
      ({ slug }) => directSlugs.includes(slug) || !builtInModes.has(slug),
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
      text = bytes && readableText(bytes);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#text = undefined;
      this.#modes = builtInModes;
      this.#problems = [{ path: modeFilePath, line: 1, column: 1, message: saidBy(error) }];
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
    const all = new Map(builtInModes);
    for (const mode of modes) {
      const builtIn = builtInModes.get(mode.slug);
      all.set(mode.slug, builtIn === undefined ? mode : adapted(builtIn, mode));
    }
    for (const slug of unclear) {
      // The file was meant to say what this mode may write. Without the file it might be allowed more.
      const mode = all.get(slug);
      if (mode !== undefined)
        all.set(slug, { ...mode, writes: narrower(mode.writes, "ownTaskFolder") });
    }
    this.#modes = all;
    this.#problems = problems;
  }
}

/** Returns a built-in mode with a file's words, and with no more rights than both have. */
function adapted(
  builtIn: Mode,
  { name, instructions, whenToUse, tools, hostTools, writes }: Mode,
): Mode {
  const { hostTools: hasHostTools, ...rest } = builtIn;
  return {
    ...rest,
    name,
    instructions: `${builtIn.instructions}\n\nThe project says of you:\n\n${tagged("instructions", instructions)}`,
    // An expert that no planner may choose stays so.
    ...(builtIn.whenToUse === undefined ? {} : { whenToUse: whenToUse ?? builtIn.whenToUse }),
    tools: builtIn.tools.filter(
      (tool) => tools.includes(tool) || toolEntry(tool).group === undefined,
    ),
    ...(hasHostTools === true && hostTools === true ? { hostTools } : {}),
    writes: narrower(builtIn.writes, writes),
  };
}

/**
 * Returns a scope that allows no more than a built-in mode's own. Only scopes in the project can be narrowed; the
 * others are places of the expert's own, which its work needs.
 */
function narrower(own: WriteScope, given: WriteScope): WriteScope {
  const isInProject = own === "project" || typeof own === "object";
  if (!isInProject || given === "project") return own;
  if (own === "project" || typeof given === "string") return given;
  return {
    fits: (path) => own.fits(path) && given.fits(path),
    description: `${own.description}, of these ${given.description}`,
  };
}
