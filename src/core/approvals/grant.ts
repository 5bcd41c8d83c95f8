import * as z from "zod";
import type { Intent } from "../agent/tool.js";
import { commandRule, ruleCovers } from "./commandRule.js";
import { isProtected } from "./protectedFiles.js";
import { reachesBeyond } from "./reachesBeyond.js";
import { mayHoldSecrets } from "./secretFiles.js";

/**
 * What a person allowed beyond one call. `cwd` is a workspace path, `bound` what else the command
 * depends on, as {@link boundOf} has it.
 */
export const grantSchema = z.discriminatedUnion("kind", [
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
    /** How the line begins, word by word. */
    words: z.array(z.string().min(1)).min(2),
    cwd: z.string(),
    bound: z.string(),
  }),
  z.strictObject({ kind: z.literal("web"), host: z.string().min(1) }),
  z.strictObject({ kind: z.literal("tool"), tool: z.string().min(1) }),
]);
export type Grant = z.infer<typeof grantSchema>;

/**
 * What a person may be offered to allow with this call, the narrowest first. Computed from the
 * parsed intent, never from what a model says; empty where every call is asked about.
 *
 * @param isOwn the write is to a place of the expert's own, below `.rooroo/`
 */
export function grantsFor(intent: Intent, isOwn: boolean): readonly Grant[] {
  return candidates(intent).filter((grant) => grantCovers(grant, intent, isOwn));
}

function candidates(intent: Intent): readonly Grant[] {
  switch (intent.access) {
    case "read":
    case "write":
      return [{ kind: intent.access }];
    case "command": {
      const { command, path: cwd } = intent;
      const bound = boundOf(intent);
      const words = commandRule(command);
      return [
        { kind: "command", command, cwd, bound },
        ...(words === undefined
          ? []
          : [{ kind: "commands" as const, words: [...words], cwd, bound }]),
      ];
    }
    case "web": {
      const host = hostOf(intent.address);
      return host === undefined ? [] : [{ kind: "web", host }];
    }
    case "tool":
      return intent.tool === "" || intent.reaches !== undefined
        ? []
        : [{ kind: "tool", tool: intent.tool }];
    case "spend":
      return [];
  }
}

/** Never true for what lies outside the workspace, nor for protected files. */
export function grantCovers(grant: Grant, intent: Intent, isOwn: boolean): boolean {
  if ("inside" in intent && !intent.inside) return false;
  switch (intent.access) {
    case "read":
      return grant.kind === "read" && !mayHoldSecrets(intent.path);
    case "write":
      if (grant.kind !== "write" || intent.steers !== undefined) return false;
      return isOwn || !isProtected(intent.path);
    case "command": {
      if (grant.kind !== "command" && grant.kind !== "commands") return false;
      if (reachesBeyond(intent) || intent.facts?.runsUnknown === true) return false;
      if (grant.cwd !== intent.path || grant.bound !== boundOf(intent)) return false;
      return grant.kind === "command"
        ? grant.command === intent.command
        : ruleCovers(grant.words, intent.command);
    }
    case "web":
      return grant.kind === "web" && grant.host === hostOf(intent.address);
    case "tool":
      return grant.kind === "tool" && grant.tool === intent.tool && intent.reaches === undefined;
    case "spend":
      return false;
  }
}

/** In words, for whoever gives or revokes it. */
export function grantText(grant: Grant): string {
  switch (grant.kind) {
    case "read":
      return "Reading any file of the workspace";
    case "write":
      return "Changes of any file of the workspace";
    case "command":
      return `Exactly this command: ${grant.command}${inFolder(grant.cwd)}`;
    case "commands":
      return `Any ${grant.words.join(" ")} …${inFolder(grant.cwd)}`;
    case "web":
      return `Requests to ${grant.host}`;
    case "tool":
      return `Uses of ${grant.tool}`;
  }
}

function inFolder(cwd: string): string {
  return cwd === "" ? "" : ` in ${cwd}`;
}

/** The files that the command runs, by their content; another content is another command. */
function boundOf(intent: Extract<Intent, { access: "command" }>): string {
  const { boundTo = [] } = intent;
  return boundTo.length === 0 ? "" : JSON.stringify(boundTo);
}

/** `undefined` for what is no plain web address: user names, other schemes, backslashes. */
function hostOf(address: string): string | undefined {
  const found = /^https?:\/\/([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)(?=[/?#]|$)/i.exec(address);
  return found?.[0].toLowerCase();
}
