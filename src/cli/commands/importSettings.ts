import { homedir } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { UserError } from "../../core/errors.js";
import type { ImportPlan } from "../../core/imports/importPlan.js";
import { importPreview } from "../../core/imports/importPreview.js";
import { applyImport, changeFile, type ImportedSettings } from "../../core/imports/importTarget.js";
import { chosenItems } from "../../core/imports/planImport.js";
import { prepareImport } from "../../core/imports/prepareImport.js";
import type { FileSystem } from "../../core/ports/files.js";
import { type Said, spoken, words } from "../../core/text/words.js";
import { makeFolder } from "../../node/files/directoryHandle.js";
import { DiskFileSystem } from "../../node/files/diskFileSystem.js";
import { editorStorages } from "../../node/user/editorStorages.js";
import { userFolder } from "../../node/user/userFolder.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** The things that the user asks to import. */
interface ImportChoice {
  readonly files: readonly string[];
  /** Whether anything is written. */
  readonly apply: boolean;
  /** Ids of things that are imported although they are not marked. */
  readonly take: readonly string[];
  /** Ids of things that are not imported although they are marked. */
  readonly leave: readonly string[];
}

/** Shows what of other tools' settings can be imported, and imports it if that is asked for. */
export async function importSettings(
  { files: named, apply, take, leave }: ImportChoice,
  { options }: Cli,
): Promise<Result<never>> {
  const { env } = process;
  const files = new DiskFileSystem(await workspaceRoot(options.workspace));
  const own = new DiskFileSystem(userFolder(env));
  const target = {
    own,
    makeOwn: () => makeFolder(userFolder(env)),
    workspace: files,
    settings: profileFile(own, (options.model ?? env["ROOROO_MODEL"] ?? "") !== ""),
  };
  const found = await prepareImport(
    {
      files,
      home: homedir(),
      storage: editorStorages(env),
      named: named.map((path) => resolve(path)),
    },
    target,
  );
  const chosen = chosenItems(found, { take, leave });
  const items = found.items.map((item) => ({ ...item, isChosen: chosen.includes(item) }));
  const plan = { ...found, items };
  if (apply) await applyImport(chosen, target);
  const ids = chosen.map(({ id }) => id);
  const said = (one: Said) => spoken(one, t);
  return {
    end: "done",
    json: () => ({ applied: apply, chosen: ids, ...inEnglish(plan) }),
    text: () => {
      const done = { items: items.filter(({ isChosen }) => isChosen), asItIs: [], leftOut: [] };
      if (apply && chosen.length > 0) {
        return terminalText(importPreview(done, said, words("Imported")));
      }
      const preview = terminalText(importPreview(plan, said));
      if (plan.items.length === 0) return preview;
      return `${preview}\n${t("Nothing was written. Add --apply to import what is marked with x, --take ID for more, --leave ID for less.")}\n`;
    },
  };
}

function inEnglish({ items, asItIs, leftOut }: ImportPlan): object {
  const rows = (list: typeof asItIs) =>
    list.map(({ name, from, why }) => ({ name, from, why: spoken(why) }));
  return {
    items: items.map(({ id, from, becomes, notes, replaces, isChosen }) => ({
      id,
      from,
      becomes: spoken(becomes),
      notes: notes.map((note) => spoken(note)),
      replaces,
      isChosen,
    })),
    asItIs: rows(asItIs),
    leftOut: rows(leftOut),
  };
}

const fileName = "models.json";
const profileList = z.looseObject({
  profiles: z.record(z.string(), z.unknown()).optional(),
  profile: z.unknown().optional(),
});

/** The command line's settings: profiles are in a file; rules for commands are given with each command. */
function profileFile(own: FileSystem, isModelGiven: boolean): ImportedSettings {
  const parsed = (text: string | undefined): z.output<typeof profileList> => {
    if (text === undefined || text.trim() === "") return {};
    const json = parseJson(text);
    const read = profileList.safeParse(json.ok ? json.value : undefined);
    if (read.success) return read.data;
    throw new UserError(
      "importProfilesUnreadable",
      "{path} cannot be read, so no profile can be added to it. Correct it, then import again.",
      { path: own.absolute(fileName) },
    );
  };
  const read = async () => {
    const bytes = await own.readFile(fileName);
    return parsed(bytes && new TextDecoder().decode(bytes));
  };
  return {
    commands: undefined,
    profiles: async () => (await read()).profiles ?? {},
    hasModel: async () => isModelGiven || (await read()).profile !== undefined,
    saveProfiles: (added, inUse) =>
      changeFile(fileName, own, (text) => {
        const file = parsed(text);
        const profiles = { ...file.profiles, ...added };
        const used = inUse === undefined ? {} : { profile: inUse };
        return `${JSON.stringify({ ...used, ...file, profiles }, undefined, 2)}\n`;
      }),
    addCommandRules: () => Promise.resolve(),
  };
}
