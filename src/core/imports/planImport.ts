import { ruleFor } from "../approvals/commandRule.js";
import { wordsOf } from "../commands/commandRules.js";
import { isUserError, UserError } from "../errors.js";
import { counterparts } from "../experts/instructions.js";
import { addressOf } from "../models/serverAddress.js";
import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";
import { type ForeignSettings, readForeignSettings } from "./foreignSettings.js";
import { importedMode } from "./importedMode.js";
import { importedProfile } from "./importedProfile.js";
import { importedServer } from "./importedServer.js";
import {
  type ExistingSettings,
  type FoundFile,
  type ImportItem,
  type ImportPlan,
  type ImportWrite,
  type LeftOut,
  ownRulesPath,
} from "./importPlan.js";

/** The name of the file for imported instructions. */
const rulesName = "imported.md";

/** The built-in modes of other tools that no expert is like. */
const unread = new Set(["debug", "orchestrator"]);

/** A thing that a file has: what would be written and what it is then, or why it is left out. */
type Thing =
  | { readonly write: ImportWrite; readonly becomes: Words; readonly notes?: readonly Words[] }
  | { readonly name: string; readonly problem: Words };

type Origin = FoundFile["origin"];

/**
 * From whose files a thing is imported unless the person decides otherwise. What gives permissions is never chosen from
 * the start, and neither is what would start a program of the workspace's.
 */
const chosenFrom: Readonly<Record<ImportWrite["to"], readonly Origin[]>> = {
  profile: ["workspace", "user", "chosen"],
  mode: ["workspace", "user", "chosen"],
  rules: ["user", "chosen"],
  server: ["user"],
  deny: ["workspace", "user", "chosen"],
  allow: [],
};

/**
 * Returns what an import of these files would do. Whatever they say: nothing that exists is replaced unless a person
 * chooses it; keys are left out.
 */
export function planImport(found: readonly FoundFile[], existing: ExistingSettings): ImportPlan {
  const items: ImportItem[] = [];
  const asItIs: LeftOut[] = [];
  const leftOut: LeftOut[] = [];
  /** What each id stands for, as JSON. */
  const planned = new Map<string, string>();
  for (const { text, shown: from, origin } of found) {
    for (const thing of thingsIn(text, from, origin, existing)) {
      if ("problem" in thing) {
        leftOut.push({ name: thing.name, from, why: thing.problem });
        continue;
      }
      const { write, becomes, notes = [] } = thing;
      const { id, name, value, now } = placeOf(write, existing);
      const content = stable(value);
      const before = planned.get(id);
      if (before === undefined) planned.set(id, content);
      if (before !== undefined) {
        const why = words("Another file has something else of this name, which comes first.");
        if (before !== content) leftOut.push({ name, from, why });
      } else if (now !== undefined && stable(now) === content) {
        asItIs.push({ name, from, why: words("It has been imported.") });
      } else {
        const replaces = now !== undefined;
        const isChosen = !replaces && chosenFrom[write.to].includes(origin);
        items.push({ id, name, from, becomes, notes, replaces, isChosen, write });
      }
    }
  }
  return { items, asItIs, leftOut };
}

/** Returns what a file has. One that was found, and cannot be read, is left out; one that was named is an error. */
function thingsIn(
  text: string,
  shown: string,
  origin: Origin,
  existing: ExistingSettings,
): readonly Thing[] {
  let settings: ForeignSettings;
  try {
    settings = readForeignSettings(text, shown);
  } catch (error) {
    if (!isUserError(error) || origin === "chosen") throw error;
    // A configuration of Kilo Code need not have anything that is imported.
    if (error.code === "importNothingFound") return [];
    return [{ name: "", problem: words(error.template, error.params) }];
  }
  // Files of the workspace do not choose where requests go.
  const inUse = existing.hasModel || origin === "workspace" ? undefined : settings.profileInUse;
  const { commands } = existing;
  return [
    ...settings.invalid.map((name) => ({
      name,
      problem: words("This part of the file does not have the form that it should."),
    })),
    ...[...settings.profiles].map(([name, given]) =>
      profileThing(name, given, name === inUse, commands !== undefined),
    ),
    ...settings.modes.flatMap((mode) => modeThings(mode, existing.modes !== undefined)),
    ...settings.instructions.map(({ slug, text: own }) => instructionsThing(slug, own)),
    ...[...settings.servers].map(([name, given]) => serverThing(name, given)),
    ...rulesIn(settings.deny).map((rule) => denyThing(rule, commands !== undefined)),
    ...rulesIn(settings.allow).map((rule) => allowThing(rule, commands !== undefined)),
    ...settings.notes.map((problem) => ({ name: "", problem })),
  ];
}

/** @param isEditor whether it is the editor that imports */
function profileThing(
  given: string,
  value: Readonly<Record<string, unknown>>,
  inUse: boolean,
  isEditor: boolean,
): Thing {
  const name = visibleLine(given, 100);
  const read = importedProfile(value);
  if ("problem" in read) return { name, problem: read.problem };
  const { profile, notes } = read;
  const isEditors = profile.model.startsWith("vscode:");
  if (isEditors && !isEditor) {
    const problem = words("It is one of VS Code's own models, which only the editor can ask.");
    return { name, problem };
  }
  const server = isEditors ? "VS Code" : addressOf(profile);
  const used = words("It is used from now on, because no model is chosen here yet.");
  return {
    write: { to: "profile", name, profile, inUse },
    becomes: words("Model profile: {model} at {server}", { model: profile.model, server }),
    notes: inUse ? [used, ...notes] : notes,
  };
}

function modeThings(given: unknown, hasWorkspace: boolean): readonly Thing[] {
  const read = importedMode(given);
  if ("problem" in read) return [read];
  const { slug, mode, notes, rules } = read;
  if (!hasWorkspace) {
    const problem = words("Modes belong to a workspace: open a folder that you trust first.");
    return [{ name: slug, problem }];
  }
  const becomes = words("Mode of this workspace, in .roomodes");
  return [
    { write: { to: "mode", slug, mode }, becomes, notes },
    ...rules.map(({ name, text }) => rulesThing(slug, name, text)),
  ];
}

function instructionsThing(slug: string | undefined, text: string): Thing {
  if (slug === undefined || (/^[a-zA-Z0-9-]{1,60}$/.test(slug) && !unread.has(slug))) {
    return rulesThing(slug, rulesName, text);
  }
  return {
    name: visibleLine(slug, 60),
    problem: words("Its instructions are left out: no expert does the work of this mode."),
  };
}

function rulesThing(slug: string | undefined, name: string, text: string): Thing {
  return {
    write: { to: "rules", path: ownRulesPath(slug, name), text: `${text}\n` },
    becomes:
      slug === undefined
        ? words("Rules for all experts, in your own folder")
        : words("Rules for {expert}, in your own folder", { expert: expertFor(slug) }),
    notes: [words("They say: {text}", { text: visibleLine(text, 160) })],
  };
}

function serverThing(given: string, value: unknown): Thing {
  const read = importedServer(given, value);
  if ("problem" in read) return { name: visibleLine(given, 60), problem: read.problem };
  const { name, entry, notes } = read;
  const { command, args = [], url = "" } = entry;
  const start = visibleLine(command === undefined ? url : [command, ...args].join(" "), 300);
  return {
    write: { to: "server", name, entry },
    becomes: words("MCP server of your list: {start}", { start }),
    notes,
  };
}

/** @param canSave whether there is a place for rules */
function denyThing(rule: string, canSave: boolean): Thing {
  if (wordsOf(rule) !== undefined && canSave) {
    const becomes = words("Commands with these words are denied");
    return { write: { to: "deny", rule }, becomes };
  }
  return {
    name: visibleLine(rule, 120),
    problem:
      wordsOf(rule) === undefined
        ? words(
            "It denied commands. Rooroo has no such rule: a rule is the first words of one command.",
          )
        : words("Deny it with --deny-command, or import it in the editor."),
  };
}

/** @param canSave whether there is a place for rules */
function allowThing(rule: string, canSave: boolean): Thing {
  const isSafe = ruleFor(rule.split(/\s+/))?.join(" ") === rule;
  if (isSafe && canSave) {
    const becomes = words("Commands that begin with these words run without being asked about");
    return { write: { to: "allow", rule }, becomes };
  }
  return {
    name: visibleLine(rule, 120),
    problem: isSafe
      ? words("Allow it with --allow-command, or import it in the editor.")
      : words(
          "It allowed all commands that begin so, whatever follows. Allow what you need when you are asked about it.",
        ),
  };
}

function rulesIn(given: readonly string[]): readonly string[] {
  return [...new Set(given.map((rule) => rule.trim()).filter((rule) => rule !== ""))];
}

/** Returns where a change is made: what it writes there, and `now`, what has its name already. */
function placeOf(write: ImportWrite, existing: ExistingSettings) {
  switch (write.to) {
    case "profile": {
      const { name, profile } = write;
      return {
        id: `profile:${name}`,
        name,
        value: profile,
        now: ownValue(existing.profiles, name),
      };
    }
    case "mode": {
      const { slug, mode } = write;
      return { id: `mode:${slug}`, name: slug, value: mode, now: ownValue(existing.modes, slug) };
    }
    case "server": {
      const { name } = write;
      const now = enabledOrNot(ownValue(existing.servers, name));
      return { id: `server:${name}`, name, value: enabledOrNot(write.entry), now };
    }
    case "rules": {
      const { path, text } = write;
      return { id: path, name: path, value: text, now: existing.rules.get(path) };
    }
    case "allow":
    case "deny": {
      const { to, rule } = write;
      const now = existing.commands?.[to].find((one) => one === rule);
      return { id: `${to}:${rule}`, name: visibleLine(rule, 120), value: rule, now };
    }
  }
}

/** Returns the slug of the expert who follows the rules for a mode of another tool. */
function expertFor(slug: string): string {
  const expert = Object.keys(counterparts).find((own) => counterparts[own] === slug);
  return expert ?? slug;
}

/** Returns an entry without what the user changes to switch it on. */
function enabledOrNot(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== "disabled"));
}

function ownValue(record: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns JSON that is the same for the same value, however its keys are ordered. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Returns the items with these ids, in the plan's order. Throws a {@link UserError} if there is no such item. */
export function chosenItems(
  { items }: ImportPlan,
  { take, leave }: { readonly take: readonly string[]; readonly leave: readonly string[] },
): readonly ImportItem[] {
  const unknown = [...take, ...leave].find((id) => !items.some((item) => item.id === id));
  if (unknown !== undefined) {
    throw new UserError(
      "importItemUnknown",
      "There is nothing called {id} to import. The preview lists the names, such as profile:work.",
      { id: JSON.stringify(unknown) },
    );
  }
  return items.filter(({ id, isChosen }) => take.includes(id) || (isChosen && !leave.includes(id)));
}
