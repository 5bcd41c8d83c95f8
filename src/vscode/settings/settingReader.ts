import * as z from "zod/mini";
import type { OwnSetting, SettingName } from "../../contributions/settings.js";
import { ownParsers, unreadableRules } from "./ownParsers.js";

/** Before the names of all our settings. */
export const section = "rooroo";

/** What the manifest says of a setting, as far as it counts here. */
const property = z.object({
  default: z.unknown(),
  type: z.unknown(),
  enum: z.optional(z.array(z.unknown())),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
});
const manifestSchema = z.object({
  contributes: z.object({
    configuration: z.array(z.object({ properties: z.record(z.string(), property) })),
  }),
});

/** What reads the values of a setting, and what counts in the place of one that cannot be read. */
interface Reader {
  readonly parser: z.ZodMiniType;
  readonly fallback: unknown;
}

/** What reads the values of all settings. */
export interface SettingReaders {
  readonly names: readonly SettingName[];
  of(name: SettingName): Reader;
}

/**
 * Returns what reads the values of all settings.
 *
 * @param manifest the extension's `package.json`
 * @throws {z.ZodError} if it describes no settings
 */
export function settingReaders(manifest: unknown): SettingReaders {
  const { configuration } = manifestSchema.parse(manifest).contributes;
  const properties = Object.assign({}, ...configuration.map((group) => group.properties)) as Record<
    string,
    z.infer<typeof property>
  >;
  const readers = new Map<SettingName, Reader>();
  const reader = (name: SettingName): Reader => {
    const said = properties[`${section}.${name}`];
    if (said === undefined) throw new Error(`The manifest has no setting ${name}.`);
    const parser = isOwn(name) ? ownParsers[name] : plainParser(said);
    const isRules = name === "approvals.categories";
    return { parser, fallback: isRules ? unreadableRules : parser.parse(said.default) };
  };
  return {
    names: Object.keys(properties).map((name) => name.slice(section.length + 1) as SettingName),
    of: (name) => {
      const known = readers.get(name) ?? reader(name);
      readers.set(name, known);
      return known;
    },
  };
}

function isOwn(name: SettingName): name is OwnSetting {
  return Object.hasOwn(ownParsers, name);
}

/** Returns what reads a setting of which the manifest says all: see `flag`, `whole`, `line` and `choice`. */
function plainParser(said: z.infer<typeof property>): z.ZodMiniType {
  const {
    type,
    minimum = -Infinity,
    maximum = Infinity,
    minLength = 0,
    maxLength = Infinity,
  } = said;
  if (said.enum !== undefined) return z.enum(said.enum as string[]);
  if (type === "boolean") return z.boolean();
  if (type === "integer") return z.int().check(z.minimum(minimum), z.maximum(maximum));
  return z.string().check(z.trim(), z.minLength(minLength), z.maxLength(maxLength));
}
