import * as z from "zod";
import type { InNamedFolder } from "../access/namedFolders.js";
import { isProtected } from "../access/protectedFiles.js";
import { mayHoldSecrets } from "../access/secretFiles.js";
import type { CommandAction, ProposedAction } from "../agent/tool.js";
import { type Words, words } from "../text/words.js";
import { beginsWith, commandRule, ruleCovers, ruleFor } from "./commandRule.js";

/**
 * A permission beyond one call. `cwd` is a workspace path, `bound` the files that the command depends on, as
 * {@link pinnedText} returns them.
 */
export const permissionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("read") }),
  z.strictObject({ kind: z.literal("write") }),
  z.strictObject({
    kind: z.literal("command"),
    command: z.string().min(1),
    cwd: z.string(),
    bound: z.string(),
  }),
  z.strictObject({
    kind: z.literal("commands"),
    /** The words with which the line must begin. */
    words: z.array(z.string().min(1)).min(2),
    cwd: z.string(),
    bound: z.string(),
  }),
  z.strictObject({
    kind: z.literal("chain"),
    /** The commands that a line may consist of, besides those that are allowed anyway. */
    commands: z
      .array(
        z.strictObject({
          assignments: z.array(z.string()),
          words: z.array(z.string().min(1)).min(1),
          /** Whether nothing may follow these words. */
          exact: z.boolean(),
        }),
      )
      .min(1),
    cwd: z.string(),
    bound: z.string(),
  }),
  z.strictObject({ kind: z.literal("web"), host: z.string().min(1) }),
  z.strictObject({
    kind: z.literal("tool"),
    tool: z.string().min(1),
    /** A hash of what the tool says of itself. Permissions of earlier versions have none, and cover nothing. */
    bound: z.string().default(""),
  }),
  z.strictObject({
    /** The permission to start an MCP server of a workspace; calls of its tools need their own. */
    kind: z.literal("server"),
    server: z.string().min(1),
    /** A hash of its entry in the workspace's list, and of the files that it starts. */
    bound: z.string().min(1),
    /** Whether it may run without the sandbox. */
    outside: z.boolean(),
  }),
  z.strictObject({
    /** The permission to read and write in a folder that a document of the work names, such as a job's file. */
    kind: z.literal("folder"),
    /** The document's path in the workspace. */
    document: z.string().min(1),
    /** The folder's canonical path. */
    folder: z.string().min(1),
    /** All folders that the document names, as JSON. */
    bound: z.string().min(1),
  }),
  z.strictObject({
    /** The permission to run git's commands that only read by a repository's configuration as it is. */
    kind: z.literal("git"),
    /** The absolute path of the repository's folder that holds the configuration. */
    folder: z.string().min(1),
    /** A hash of the configuration, and of the workspace's files that it names. */
    bound: z.string().min(1),
  }),
]);
export type Permission = z.infer<typeof permissionSchema>;

/**
 * Returns the permissions that can be offered with this call, the narrowest first. They are computed from the
 * proposed action, never from what a model says; empty if every call is asked about.
 *
 * @param isOwn whether the write is to a place of the expert's own, below `.rooroo/`
 * @param within the folder of the work that the place is in. Absent: it is in none
 */
export function permissionsFor(
  action: ProposedAction,
  isOwn: boolean,
  within?: InNamedFolder,
): readonly Permission[] {
  const all =
    within === undefined ? candidates(action) : [inFolderOf(within), ...candidates(action)];
  return all.filter((permission) => permissionCovers(permission, action, isOwn, within));
}

function inFolderOf({ document, folder, bound }: InNamedFolder): Permission {
  return { kind: "folder", document, folder, bound };
}

function candidates(action: ProposedAction): readonly Permission[] {
  switch (action.access) {
    case "read":
    case "write":
      return [{ kind: action.access }];
    case "command": {
      const { command, path: cwd } = action;
      const bound = pinnedText(action);
      const exact: Permission = { kind: "command", command, cwd, bound };
      const words = commandRule(command);
      if (words !== undefined) return [exact, { kind: "commands", words: [...words], cwd, bound }];
      const commands = chainOf(action);
      return commands === undefined ? [exact] : [exact, { kind: "chain", commands, cwd, bound }];
    }
    case "web": {
      const host = hostOf(action.address);
      return host === undefined ? [] : [{ kind: "web", host }];
    }
    case "tool":
      return action.tool === "" || action.reaches !== undefined
        ? []
        : [{ kind: "tool", tool: action.tool, bound: action.bound }];
    case "spend":
      return [];
  }
}

/**
 * Returns whether a permission covers an action. Never true outside the workspace, except in folders that a person has
 * confirmed for the work, nor for writes to protected files other than the expert's own.
 */
export function permissionCovers(
  permission: Permission,
  action: ProposedAction,
  isOwn: boolean,
  within?: InNamedFolder,
): boolean {
  if (permission.kind === "folder") return coversFolder(permission, action, within);
  if ("inside" in action && !action.inside) return false;
  switch (action.access) {
    case "read":
      return permission.kind === "read" && !mayHoldSecrets(action.path);
    case "write":
      if (permission.kind !== "write" || action.protection !== undefined) return false;
      return isOwn || !isProtected(action.path);
    case "command": {
      if (
        permission.kind !== "command" &&
        permission.kind !== "commands" &&
        permission.kind !== "chain"
      )
        return false;
      if (touchesProtectedFiles(action) || action.facts?.runsUnknown === true) return false;
      if (permission.cwd !== action.path || permission.bound !== pinnedText(action)) return false;
      if (permission.kind === "command") return permission.command === action.command;
      if (permission.kind === "commands") return ruleCovers(permission.words, action.command);
      return isChainOf(permission.commands, action);
    }
    case "web":
      return permission.kind === "web" && permission.host === hostOf(action.address);
    case "tool":
      return (
        permission.kind === "tool" &&
        permission.tool === action.tool &&
        action.bound !== "" &&
        permission.bound === action.bound &&
        action.reaches === undefined
      );
    case "spend":
      return false;
  }
}

function coversFolder(
  { document, folder, bound }: Extract<Permission, { kind: "folder" }>,
  action: ProposedAction,
  within: InNamedFolder | undefined,
): boolean {
  if (within === undefined || (action.access !== "read" && action.access !== "write")) return false;
  if (within.document !== document || within.folder !== folder || within.bound !== bound)
    return false;
  if (within.secret) return false;
  return action.access === "read" || (!within.protected && action.protection === undefined);
}

/** Describes a permission, for the person who gives or revokes it. */
export function permissionText(permission: Permission): Words {
  switch (permission.kind) {
    case "read":
      return words("Reading any file of the workspace");
    case "write":
      return words("Changes of any file of the workspace");
    case "command":
      return inFolder(
        words("Exactly this command: {command}", { command: permission.command }),
        permission,
      );
    case "commands":
      return inFolder(
        words("Any {command} …", { command: permission.words.join(" ") }),
        permission,
      );
    case "chain": {
      const commands = permission.commands.map(chainedText).join(", ");
      return inFolder(words("Any line of these: {commands}", { commands }), permission);
    }
    case "web":
      return words("Requests to {host}", { host: permission.host });
    case "tool":
      return words("Uses of {tool}", { tool: permission.tool });
    case "folder": {
      const { folder, document } = permission;
      return words("Reading and writing in {folder}, as {document} says", { folder, document });
    }
    case "git":
      return words("Git's commands that only read, by the configuration in {folder} as it is", {
        folder: permission.folder,
      });
    case "server": {
      const { server } = permission;
      return permission.outside
        ? words("Starting the workspace's MCP server {server}, without the sandbox", { server })
        : words("Starting the workspace's MCP server {server}", { server });
    }
  }
}

type ChainedCommand = Extract<Permission, { kind: "chain" }>["commands"][number];
type LineAction = Extract<ProposedAction, { access: "command" }>;

/**
 * Returns a permission for each command of a line that is not allowed anyway; `undefined` if together they
 * would be no more than the line itself.
 */
function chainOf({ facts }: LineAction): ChainedCommand[] | undefined {
  const asked = facts?.parts?.filter(({ isFree }) => !isFree) ?? [];
  const commands = asked.map(({ assignments, words }): ChainedCommand => {
    const rule = ruleFor(words);
    return {
      assignments: [...assignments],
      words: [...(rule ?? words)],
      exact: rule === undefined,
    };
  });
  return commands.some(({ exact }) => !exact) ? commands : undefined;
}

function isChainOf(commands: readonly ChainedCommand[], { facts }: LineAction): boolean {
  const isSame = (one: readonly string[], other: readonly string[]) =>
    JSON.stringify(one) === JSON.stringify(other);
  return (
    facts?.parts?.every(({ assignments, words, isFree }) => {
      return (
        isFree ||
        commands.some((command) => {
          const isBegun = command.exact
            ? isSame(command.words, words)
            : beginsWith(command.words, words);
          return isBegun && isSame(command.assignments, assignments);
        })
      );
    }) ?? false
  );
}

function chainedText({ assignments, words, exact }: ChainedCommand): string {
  return `“${[...assignments, ...words].join(" ")}${exact ? "" : " …"}”`;
}

function inFolder(what: Words, { cwd }: { readonly cwd: string }): Words {
  return cwd === "" ? what : words("{what} in {folder}", { what, folder: cwd });
}

/**
 * Returns the files that the command is pinned to, with their hashes: with another content it is another
 * command.
 */
function pinnedText(action: Extract<ProposedAction, { access: "command" }>): string {
  const { pinned = [] } = action;
  return pinned.length === 0 ? "" : JSON.stringify(pinned);
}

/**
 * Returns an address's scheme and host; `undefined` for anything but a plain web address, such as one with a
 * user name, another scheme or backslashes.
 */
function hostOf(address: string): string | undefined {
  const found = /^https?:\/\/([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)(?=[/?#]|$)/i.exec(address);
  return found?.[0].toLowerCase();
}

/**
 * Returns whether a command visibly writes outside the workspace or to protected files, which is always asked
 * about.
 */
export function touchesProtectedFiles({ facts }: CommandAction): boolean {
  const isOutside = (path: string) => /^(\/|[A-Za-z]:)/.test(path);
  return facts?.writes.some((path) => isOutside(path) || isProtected(path)) ?? false;
}
