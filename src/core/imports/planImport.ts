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

/**
 * Returns what an import of these files would do. Whatever they say: nothing that exists is replaced unless a person
 * chooses it; what gives permissions is never chosen from the start, and neither is what would start a program of the
 * workspace's; keys are left out.
 */
export function planImport(found: readonly FoundFile[], existing: ExistingSettings): ImportPlan {
  const planning = new Planning(existing);
  for (const file of found) planning.add(file);
  const { items, asItIs, leftOut } = planning;
  return { items, asItIs, leftOut };
}

class Planning {
  readonly items: ImportItem[] = [];
  readonly asItIs: LeftOut[] = [];
  readonly leftOut: LeftOut[] = [];
  /** What each id stands for, as JSON. */
  private readonly planned = new Map<string, string>();

  constructor(private readonly existing: ExistingSettings) {}

  /** Adds what a file has. A file that was found, and cannot be read, is left out; one that was named is an error. */
  add(file: FoundFile): void {
    let settings: ForeignSettings;
    try {
      settings = readForeignSettings(file.text, file.shown);
    } catch (error) {
      if (!isUserError(error) || file.origin === "chosen") throw error;
      // A configuration of Kilo Code need not have anything that is imported.
      if (error.code !== "importNothingFound") {
        this.leave("", file, words(error.template, error.params));
      }
      return;
    }
    for (const name of settings.invalid) {
      this.leave(name, file, words("This part of the file does not have the form that it should."));
    }
    this.addProfiles(settings, file);
    this.addModes(settings, file);
    this.addInstructions(settings, file);
    this.addServers(settings, file);
    this.addCommands(settings, file);
    this.leaveOthers(settings, file);
  }

  private addProfiles({ profiles, profileInUse }: ForeignSettings, file: FoundFile): void {
    for (const [given, value] of profiles) {
      const name = visibleLine(given, 100);
      const read = importedProfile(value);
      if ("problem" in read) {
        this.leave(name, file, read.problem);
        continue;
      }
      const { profile, notes } = read;
      const isEditors = profile.model.startsWith("vscode:");
      if (isEditors && this.existing.commands === undefined) {
        this.leave(
          name,
          file,
          words("It is one of VS Code's own models, which only the editor can ask."),
        );
      } else {
        const server = isEditors ? "VS Code" : addressOf(profile);
        // Files of the workspace do not choose where requests go.
        const inUse =
          given === profileInUse && !this.existing.hasModel && file.origin !== "workspace";
        this.offer(file, {
          id: `profile:${name}`,
          name,
          becomes: words("Model profile: {model} at {server}", { model: profile.model, server }),
          notes: inUse
            ? [words("It is used from now on, because no model is chosen here yet."), ...notes]
            : notes,
          isChosen: true,
          write: { to: "profile", name, profile, inUse },
          now: ownValue(this.existing.profiles, name),
        });
      }
    }
  }

  private addModes({ modes }: ForeignSettings, file: FoundFile): void {
    for (const given of modes) {
      const read = importedMode(given);
      if ("problem" in read) {
        this.leave(read.name, file, read.problem);
        continue;
      }
      const { slug, mode, notes } = read;
      if (this.existing.modes === undefined) {
        this.leave(
          slug,
          file,
          words("Modes belong to a workspace: open a folder that you trust first."),
        );
        continue;
      }
      this.offer(file, {
        id: `mode:${slug}`,
        name: slug,
        becomes: words("Mode of this workspace, in .roomodes"),
        notes,
        isChosen: true,
        write: { to: "mode", slug, mode },
        now: ownValue(this.existing.modes, slug),
      });
      for (const { name, text } of read.rules) this.addRules(slug, name, text, file);
    }
  }

  private addInstructions(settings: ForeignSettings, file: FoundFile): void {
    if (settings.instructions !== "") {
      this.addRules(undefined, rulesName, settings.instructions, file);
    }
    for (const [slug, text] of settings.modeInstructions) {
      if (!/^[a-zA-Z0-9-]{1,60}$/.test(slug) || unread.has(slug)) {
        this.leave(
          visibleLine(slug, 60),
          file,
          words("Its instructions are left out: no expert does the work of this mode."),
        );
      } else this.addRules(slug, rulesName, text, file);
    }
  }

  private addRules(slug: string | undefined, name: string, text: string, file: FoundFile): void {
    const path = ownRulesPath(slug, name);
    this.offer(file, {
      id: path,
      name: path,
      becomes:
        slug === undefined
          ? words("Rules for all experts, in your own folder")
          : words("Rules for {expert}, in your own folder", { expert: expertFor(slug) }),
      notes: [words("They say: {text}", { text: visibleLine(text, 160) })],
      isChosen: file.origin !== "workspace",
      write: { to: "rules", path, text: `${text}\n` },
      now: this.existing.rules.get(path),
    });
  }

  private addServers({ servers }: ForeignSettings, file: FoundFile): void {
    for (const [given, value] of servers) {
      const read = importedServer(given, value);
      if ("problem" in read) {
        this.leave(visibleLine(given, 60), file, read.problem);
        continue;
      }
      const { name, entry, notes } = read;
      const { command, args = [], url } = entry;
      const start = command === undefined ? url : [command, ...args].join(" ");
      this.offer(file, {
        id: `server:${name}`,
        name,
        becomes: words("MCP server of your list: {start}", {
          start: visibleLine(start ?? "", 300),
        }),
        notes,
        isChosen: file.origin === "user",
        write: { to: "server", name, entry },
        now: enabledOrNot(ownValue(this.existing.servers, name)),
      });
    }
  }

  private addCommands({ allow, deny }: ForeignSettings, file: FoundFile): void {
    const { commands } = this.existing;
    for (const rule of rulesIn(deny)) {
      const name = visibleLine(rule, 120);
      if (wordsOf(rule) === undefined) {
        this.leave(
          name,
          file,
          words(
            "It denied commands. Rooroo has no such rule: a rule is the first words of one command.",
          ),
        );
      } else if (commands === undefined) {
        this.leave(name, file, words("Deny it with --deny-command, or import it in the editor."));
      } else {
        this.offer(file, {
          id: `deny:${rule}`,
          name,
          becomes: words("Commands with these words are denied"),
          notes: [],
          isChosen: true,
          write: { to: "deny", rule },
          now: commands.deny.includes(rule) ? rule : undefined,
        });
      }
    }
    for (const rule of rulesIn(allow)) {
      const name = visibleLine(rule, 120);
      const own = ruleFor(rule.split(/\s+/))?.join(" ");
      if (own !== rule) {
        this.leave(
          name,
          file,
          words(
            "It allowed all commands that begin so, whatever follows. Allow what you need when you are asked about it.",
          ),
        );
      } else if (commands === undefined) {
        this.leave(name, file, words("Allow it with --allow-command, or import it in the editor."));
      } else {
        this.offer(file, {
          id: `allow:${rule}`,
          name,
          becomes: words("Commands that begin with these words run without being asked about"),
          notes: [],
          isChosen: false,
          write: { to: "allow", rule },
          now: commands.allow.includes(rule) ? rule : undefined,
        });
      }
    }
  }

  private leaveOthers(settings: ForeignSettings, file: FoundFile): void {
    if (settings.hasApprovals) {
      this.leave(
        "",
        file,
        words("What may be done unasked is not imported: choose it below the input."),
      );
    }
    if (settings.hasLimits) {
      this.leave(
        "",
        file,
        words("What a task may use is not imported: set it in “rooroo.limits.task”."),
      );
    }
    if (settings.hasModeProfiles) {
      this.leave(
        "",
        file,
        words("Which mode uses which profile is not imported: set it in “rooroo.modes”."),
      );
    }
    if (settings.others.length > 0) {
      const shown = settings.others.slice(0, 12).join(", ");
      const more = settings.others.length - 12;
      this.leave(
        "",
        file,
        more > 0
          ? words("These settings mean nothing here: {names}, and {more} more.", {
              names: shown,
              more,
            })
          : words("These settings mean nothing here: {names}.", { names: shown }),
      );
    }
  }

  private leave(name: string, { shown }: FoundFile, why: Words): void {
    this.leftOut.push({ name, from: shown, why });
  }

  /** @param offered `now`: what has the name already */
  private offer(
    file: FoundFile,
    { now, ...offered }: Omit<ImportItem, "from" | "replaces"> & { readonly now: unknown },
  ): void {
    const { id, name, write } = offered;
    const value = stable(valueOf(write));
    const before = this.planned.get(id);
    if (before !== undefined) {
      if (before !== value) {
        this.leave(
          name,
          file,
          words("Another file has something else of this name, which comes first."),
        );
      }
      return;
    }
    this.planned.set(id, value);
    if (now !== undefined && stable(now) === value) {
      this.asItIs.push({ name, from: file.shown, why: words("It has been imported.") });
      return;
    }
    const replaces = now !== undefined;
    const isChosen = offered.isChosen && !replaces;
    this.items.push({ ...offered, from: file.shown, replaces, isChosen });
  }
}

function rulesIn(given: readonly string[]): ReadonlySet<string> {
  return new Set(given.map((rule) => rule.trim()).filter((rule) => rule !== ""));
}

function valueOf(write: ImportWrite): unknown {
  switch (write.to) {
    case "profile":
      return write.profile;
    case "mode":
      return write.mode;
    case "server":
      return enabledOrNot(write.entry);
    case "rules":
      return write.text;
    case "allow":
    case "deny":
      return write.rule;
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

function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
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
