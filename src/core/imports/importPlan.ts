import type { ModelProfile } from "../models/modelProfile.js";
import type { Words } from "../text/words.js";

/** A file of another tool that was found, or that a person chose. */
export interface FoundFile {
  /** The path as people know it, such as `~/.roo/mcp.json`. */
  readonly shown: string;
  /** Whose file it is: of the workspace, of the user's own folders, or named by the user for this import. */
  readonly origin: "workspace" | "user" | "chosen";
  readonly text: string;
}

/** The settings that Rooroo has already, as they are written, so that none is replaced unasked. */
export interface ExistingSettings {
  /** Model profiles by their names. */
  readonly profiles: Readonly<Record<string, unknown>>;
  /** Whether a model is chosen, by a profile or without one. */
  readonly hasModel: boolean;
  /** The modes of the workspace by their slugs; `undefined` if there is no workspace that could have some. */
  readonly modes: Readonly<Record<string, unknown>> | undefined;
  /** The user's MCP servers by their names. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** The user's own rules for experts: texts by their paths in {@link ownRulesPath}'s folder. */
  readonly rules: ReadonlyMap<string, string>;
  /** The rules for commands; `undefined` on the command line, where they are given with each command. */
  readonly commands:
    | { readonly allow: readonly string[]; readonly deny: readonly string[] }
    | undefined;
}

/** The change that imports one thing. */
export type ImportWrite =
  | {
      readonly to: "profile";
      readonly name: string;
      readonly profile: ModelProfile;
      /** Whether it is used from now on. */
      readonly inUse: boolean;
    }
  | { readonly to: "mode"; readonly slug: string; readonly mode: object }
  | { readonly to: "server"; readonly name: string; readonly entry: object }
  /** `path` is one of the user's own folder. */
  | { readonly to: "rules"; readonly path: string; readonly text: string }
  | { readonly to: "allow" | "deny"; readonly rule: string };

/** A thing that can be imported. */
export interface ImportItem {
  /** Unique in the plan, such as `profile:work`. */
  readonly id: string;
  readonly name: string;
  /** The file that it comes from, as people know it. */
  readonly from: string;
  readonly becomes: Words;
  /** Sentences that say what of it is left out or changed, and what remains to be done. */
  readonly notes: readonly Words[];
  /** Whether something else has its name, and would be replaced. */
  readonly replaces: boolean;
  /** Whether it is imported unless the person decides otherwise. */
  readonly isChosen: boolean;
  readonly write: ImportWrite;
}

/** Something that is not imported, or need not be. */
export interface LeftOut {
  readonly name: string;
  /** The file that it comes from, as people know it. */
  readonly from: string;
  readonly why: Words;
}

/** What an import would do. Nothing of it is done before a person has seen it. */
export interface ImportPlan {
  readonly items: readonly ImportItem[];
  /** Settings that are used where they are, or have been imported before. */
  readonly asItIs: readonly LeftOut[];
  readonly leftOut: readonly LeftOut[];
}

/** Returns the path of imported rules in the user's own folder. */
export function ownRulesPath(slug: string | undefined, name: string): string {
  return `rules${slug === undefined ? "" : `-${slug}`}/${name}`;
}
