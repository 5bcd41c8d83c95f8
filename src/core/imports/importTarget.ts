import { isMap, isSeq, parseDocument } from "yaml";
import * as z from "zod";
import { removeLeftovers } from "../access/leftovers.js";
import { readOwnDocument } from "../access/namedFile.js";
import { parseJson } from "../documents/parseJson.js";
import { unsafeYaml } from "../documents/unsafeYaml.js";
import { UserError } from "../errors.js";
import type { ModelProfile } from "../models/modelProfile.js";
import type { FileSystem } from "../ports/files.js";
import { modeEntry, modeFileText } from "./importedMode.js";
import type { ExistingSettings, ImportItem, ImportWrite } from "./importPlan.js";

/** The places to which an import writes. */
export interface ImportTarget {
  /** The user's own folder as its root; it has the list of MCP servers, and rules. */
  readonly own: FileSystem;
  /** Makes the user's own folder, unless it is there. */
  readonly makeOwn: () => Promise<void>;
  /** The files of the workspace; `undefined` if there is none. */
  readonly workspace: FileSystem | undefined;
  readonly settings: ImportedSettings;
}

/** The part of the user's settings that an import reads and adds to. */
export interface ImportedSettings extends Pick<ExistingSettings, "commands"> {
  /** The model profiles by their names, as they are written. */
  profiles(): Promise<Readonly<Record<string, unknown>>>;
  /** Whether a model is chosen, by a profile or without one. */
  hasModel(): Promise<boolean>;
  /** @param inUse the name of the one that is used from now on */
  saveProfiles(
    profiles: Readonly<Record<string, ModelProfile>>,
    inUse: string | undefined,
  ): Promise<void>;
  addCommandRules(list: "allow" | "deny", rules: readonly string[]): Promise<void>;
}

const modeFile = ".roomodes";
const serverFile = "mcp.json";
/** The most bytes of a file that is changed. */
const maxSize = 500_000;

const serverList = z.looseObject({
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  servers: z.record(z.string(), z.unknown()).optional(),
});
const modeList = z.looseObject({ customModes: z.array(z.unknown()) });
const withSlug = z.looseObject({ slug: z.string() });

/** Returns what Rooroo has already. Throws a {@link UserError} if a file that would be added to cannot be read. */
export async function existingSettings({
  own,
  workspace,
  settings,
}: ImportTarget): Promise<ExistingSettings> {
  const rules = new Map<string, string>();
  for (const folder of await ruleFolders(own)) {
    for (const { name } of await own.readDirectory(folder)) {
      const path = `${folder}/${name}`;
      const text = await textOf(path, own).catch(() => undefined);
      rules.set(path, text ?? "");
    }
  }
  const modes = workspace && modesOf(await textOf(modeFile, workspace));
  const { mcpServers, servers } = serversOf(await textOf(serverFile, own));
  return {
    profiles: await settings.profiles(),
    hasModel: await settings.hasModel(),
    modes,
    servers: { ...servers, ...mcpServers },
    rules,
    commands: settings.commands,
  };
}

async function ruleFolders(own: FileSystem): Promise<string[]> {
  const names = (await own.readDirectory("")).map(({ name }) => name);
  return names.filter((name) => /^rules(?:-|$)/.test(name));
}

/**
 * Writes what a person has chosen, and removes what an import that was killed has left. Throws a {@link UserError} for what
 * cannot be written; the rest may be written then.
 */
export async function applyImport(
  items: readonly ImportItem[],
  { own, makeOwn, workspace, settings }: ImportTarget,
): Promise<void> {
  const of = <T extends ImportWrite["to"]>(to: T) =>
    items.flatMap(({ write }) =>
      write.to === to ? [write as Extract<ImportWrite, { to: T }>] : [],
    );
  await makeOwn();
  await removeLeftovers(["", ...(await ruleFolders(own))], own);
  if (workspace !== undefined) await removeLeftovers([""], workspace);
  const profiles = of("profile");
  if (profiles.length > 0) {
    await settings.saveProfiles(
      Object.fromEntries(profiles.map(({ name, profile }) => [name, profile])),
      profiles.find(({ inUse }) => inUse)?.name,
    );
  }
  const modes = of("mode");
  if (modes.length > 0 && workspace !== undefined) {
    await changeFile(modeFile, workspace, (text) => withModes(text, modes));
  }
  const servers = of("server");
  if (servers.length > 0) await changeFile(serverFile, own, (text) => withServers(text, servers));
  for (const { path, text } of of("rules")) await changeFile(path, own, () => text);
  for (const list of ["deny", "allow"] as const) {
    const rules = of(list).map(({ rule }) => rule);
    if (rules.length > 0) await settings.addCommandRules(list, rules);
  }
}

/** Changes a file, unless somebody else does at the same time. */
export async function changeFile(
  path: string,
  files: FileSystem,
  changed: (text: string | undefined) => string,
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const bytes = await readOwnDocument(path, files, maxSize);
    const text = changed(bytes && decoded(bytes));
    const isWritten =
      bytes === undefined
        ? await files.createFile(path, text)
        : await files.replaceFile(path, text, { expected: bytes });
    if (isWritten) return;
  }
  throw new UserError(
    "importBusy",
    "{path} was changed by another program at the same time. Import again.",
    { path },
  );
}

async function textOf(path: string, files: FileSystem): Promise<string | undefined> {
  const bytes = await readOwnDocument(path, files, maxSize);
  return bytes && decoded(bytes);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Throws a {@link UserError} if the text is no list of servers. */
function serversOf(text: string | undefined): z.output<typeof serverList> {
  if (text === undefined || text.trim() === "") return {};
  const json = parseJson(text);
  const read = serverList.safeParse(json.ok ? json.value : undefined);
  if (read.success) return read.data;
  throw unreadable(serverFile);
}

function withServers(
  text: string | undefined,
  added: readonly Extract<ImportWrite, { to: "server" }>[],
): string {
  const list = serversOf(text);
  const key =
    list.mcpServers === undefined && list.servers !== undefined ? "servers" : "mcpServers";
  // Each name is a key of its own, whatever it is.
  const servers = Object.fromEntries([
    ...Object.entries(list[key] ?? {}),
    ...added.map(({ name, entry }) => [name, entry] as const),
  ]);
  return `${JSON.stringify({ ...list, [key]: servers }, undefined, 2)}\n`;
}

/** Returns the modes of a mode file by their slugs. Throws a {@link UserError} if the text is no mode file. */
function modesOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text.trim() === "") return {};
  const read = modeList.safeParse(modeDocument(text).toJS());
  if (!read.success) throw unreadable(modeFile);
  return Object.fromEntries(
    read.data.customModes.flatMap((mode) => {
      const parsed = withSlug.safeParse(mode);
      return parsed.success ? [[parsed.data.slug, modeEntry(parsed.data)]] : [];
    }),
  );
}

function withModes(
  text: string | undefined,
  added: readonly Extract<ImportWrite, { to: "mode" }>[],
): string {
  const modes = added.map(({ mode }) => mode);
  if (text === undefined || text.trim() === "") return modeFileText(modes);
  const document = modeDocument(text);
  const list: unknown = isMap(document.contents) ? document.get("customModes") : undefined;
  if (!isSeq(list)) throw unreadable(modeFile);
  for (const { slug, mode } of added) {
    const slugs = list.items.map((item) => (isMap(item) ? item.get("slug") : undefined));
    const index = slugs.indexOf(slug);
    const node = document.createNode(mode);
    if (index === -1) list.items.push(node);
    else list.items[index] = node;
  }
  // In JSON, YAML's plain words would not be valid.
  return parseJson(text).ok
    ? `${JSON.stringify(document.toJS(), undefined, 2)}\n`
    : document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Throws a {@link UserError} if the text is no YAML. */
function modeDocument(text: string): ReturnType<typeof parseDocument> {
  if (unsafeYaml(text) !== undefined) throw unreadable(modeFile);
  const document = parseDocument(text, { logLevel: "silent" });
  if (document.errors.length > 0) throw unreadable(modeFile);
  return document;
}

function unreadable(path: string): UserError {
  return new UserError(
    "importTargetUnreadable",
    "{path} cannot be read, so nothing can be added to it. Correct it, then import again.",
    { path },
  );
}
