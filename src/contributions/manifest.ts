import { chatParticipants } from "./chat.js";
import type { Command } from "./command.js";
import { commands } from "./commands.js";
import type { Setting } from "./setting.js";
import { settingGroups } from "./settings.js";
import { Text } from "./text.js";
import { languageModelTools } from "./tools.js";
import { viewsContainers, viewsInContainer, viewsWelcome } from "./views.js";
import { walkthroughs } from "./walkthrough.js";

/** A part of the manifest, with a {@link Text} wherever it has words. */
type Part = Readonly<Record<string, unknown>>;

const known = Object.entries<Command>(commands);

const menus: Part = {
  commandPalette: known.flatMap(([command, { palette }]) =>
    palette === undefined ? [] : [{ command, when: palette }],
  ),
  "view/title": known.flatMap(([command, { titles = [] }]) =>
    titles.map(({ view, when, group }) => ({
      command,
      when: when === undefined ? `view == ${view}` : `view == ${view} && ${when}`,
      group,
    })),
  ),
  "view/item/context": known.flatMap(([command, { rows = [] }]) =>
    rows.flatMap(({ on, inline, group }) => {
      const when = `view == rooroo.tasks && viewItem =~ /${on.source}/`;
      const groups = [inline === undefined ? undefined : `inline@${inline}`, group];
      return groups.flatMap((one) => (one === undefined ? [] : { command, when, group: one }));
    }),
  ),
  ...menusOfOthers(),
};

const settings = settingGroups.flatMap((group) => Object.entries(group.settings));

/** The parts of `package.json` that are written from here. */
export const manifest: Part = {
  capabilities: {
    untrustedWorkspaces: {
      supported: "limited",
      description: new Text(
        "capabilities.untrusted",
        "In Restricted Mode, Rooroo runs nothing and reads no files of the workspace, because experts run commands and follow instructions found in it.",
      ),
      restrictedConfigurations: settings.flatMap(([name, { about }]) =>
        about.scope === "window" ? `rooroo.${name}` : [],
      ),
    },
    virtualWorkspaces: {
      supported: false,
      description: new Text("capabilities.virtual", "Experts run programs on files on disk."),
    },
  },
  contributes: {
    viewsContainers,
    views: viewsInContainer,
    viewsWelcome,
    walkthroughs,
    chatParticipants,
    languageModelTools,
    commands: known.map(([command, { title, icon, enablement }]) => ({
      command,
      title: new Text(`command.${command.slice("rooroo.".length)}`, title),
      category: "Rooroo",
      ...(icon !== undefined && { icon: `$(${icon})` }),
      ...(enablement !== undefined && { enablement }),
    })),
    menus,
    keybindings: known.flatMap(([command, { keys = [] }]) =>
      keys.map((key) => ({ command, ...key })),
    ),
    configuration: settingGroups.map((group) => ({
      title: group.title,
      properties: Object.fromEntries(
        Object.entries(group.settings).map(([name, setting]) => [
          `rooroo.${name}`,
          property(name, setting),
        ]),
      ),
    })),
  },
};

/** Returns the entries of the menus that are not in our own views. */
function menusOfOthers(): Part {
  const entries: Record<string, Part[]> = {};
  for (const [command, { menus: places = {} }] of known) {
    for (const [menu, place] of Object.entries(places)) {
      (entries[menu] ??= []).push({ command, ...place });
    }
  }
  return entries;
}

/** Returns the JSON Schema of a setting. */
function property(name: string, { about, schema, choices }: Setting<unknown>): Part {
  const key = `settings.${name}`;
  const values = Object.entries(choices ?? {}).map(([value, text]) => {
    const [label, words] = typeof text === "string" ? [undefined, text] : text;
    return {
      text: new Text(`${key}.${value}`, words),
      label: label === undefined ? undefined : new Text(`${key}.${value}.label`, label),
    };
  });
  return {
    order: about.order,
    ...schema,
    default: about.default,
    scope: about.scope,
    markdownDescription: new Text(key, about.text),
    ...(values.some(({ label }) => label) && { enumItemLabels: values.map(({ label }) => label) }),
    ...(values.length > 0 && { markdownEnumDescriptions: values.map(({ text }) => text) }),
    ...about.also,
  };
}

/**
 * Takes the texts out of a part of the manifest, and puts the names of their keys in their places, as in
 * `%command.stop%`.
 *
 * @returns the part, and the texts by their keys
 * @throws {Error} if two texts have one key
 */
export function withoutTexts(part: unknown): {
  readonly part: unknown;
  readonly texts: Readonly<Record<string, string>>;
} {
  const texts: Record<string, string> = {};
  const taken = (one: unknown): unknown => {
    if (one instanceof Text) {
      const { key, english } = one;
      if ((texts[key] ??= english) !== english) throw new Error(`Two texts have the key ${key}.`);
      return `%${key}%`;
    }
    if (Array.isArray(one)) return one.map(taken);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, taken(value)]));
  };
  return { part: taken(part), texts };
}
