import type * as real from "vscode";
import { ConfigurationTarget } from "./enums.js";
import { EventEmitter } from "./events.js";

/** What a manifest says of a setting. */
interface SettingProperty {
  readonly default?: unknown;
}

interface Manifest {
  readonly contributes?: {
    readonly configuration?: readonly {
      readonly properties?: Readonly<Record<string, SettingProperty>>;
    }[];
  };
}

/** The settings of a user and of a workspace, over the defaults of a manifest. */
export class Configuration {
  private readonly defaults: ReadonlyMap<string, unknown>;
  private readonly user: Map<string, unknown>;
  private readonly workspace = new Map<string, unknown>();
  private readonly changed = new EventEmitter<real.ConfigurationChangeEvent>();
  readonly onDidChange = this.changed.event;

  /** @param values of the user, by their whole names */
  constructor(manifest: unknown, values: Readonly<Record<string, unknown>> = {}) {
    const { contributes = {} } = manifest as Manifest;
    const known = (contributes.configuration ?? []).flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([key, { default: value }]) => [key, value] as const),
    );
    this.defaults = new Map(known);
    this.user = new Map(Object.entries(values));
  }

  /** The settings of the user that differ from the defaults. */
  get userValues(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.user);
  }

  /** Sets a value as somebody does who edits the file of the settings. */
  set(
    name: string,
    value: unknown,
    target: real.ConfigurationTarget = ConfigurationTarget.Global,
  ): void {
    const values = target === ConfigurationTarget.Global ? this.user : this.workspace;
    const before = JSON.stringify(this.valueOf(name));
    if (value === undefined) values.delete(name);
    else values.set(name, copyOf(value));
    if (before === JSON.stringify(this.valueOf(name))) return;
    const affectsConfiguration = (section: string) =>
      name === section || name.startsWith(`${section}.`) || section.startsWith(`${name}.`);
    this.changed.fire({ affectsConfiguration });
  }

  /** Returns the configuration below a section; the whole one without. */
  in(section = ""): real.WorkspaceConfiguration {
    const full = (key: string) => (section === "" ? key : `${section}.${key}`);
    const read = (key: string, otherwise?: unknown): unknown => this.read(full(key)) ?? otherwise;
    return {
      get: read,
      has: (key) => this.read(full(key)) !== undefined,
      inspect: (key: string) => {
        const name = full(key);
        const value = (from: ReadonlyMap<string, unknown>) => copyOf(from.get(name)) as never;
        return {
          key: name,
          defaultValue: value(this.defaults),
          globalValue: value(this.user),
          workspaceValue: value(this.workspace),
          workspaceFolderValue: undefined,
        };
      },
      update: async (key, value, target) => {
        const name = full(key);
        if (!this.defaults.has(name)) {
          throw new Error(
            `Unable to write to User Settings because ${name} is not a registered configuration.`,
          );
        }
        await Promise.resolve();
        const isGlobal = target === true || target === ConfigurationTarget.Global;
        this.set(
          name,
          value,
          isGlobal ? ConfigurationTarget.Global : ConfigurationTarget.Workspace,
        );
      },
    };
  }

  /** Returns a value; of the beginning of names, an object of all that begin so. */
  private read(name: string): unknown {
    const own = this.valueOf(name);
    if (own !== undefined) return own;
    const below = [
      ...new Set([this.defaults, this.user, this.workspace].flatMap((of) => [...of.keys()])),
    ]
      .filter((key) => key.startsWith(`${name}.`))
      .sort();
    if (below.length === 0) return undefined;
    const all: Record<string, unknown> = {};
    for (const key of below) {
      const parts = key.slice(name.length + 1).split(".");
      const last = parts.pop() ?? "";
      let at = all;
      for (const part of parts) at = (at[part] ??= {}) as Record<string, unknown>;
      at[last] = this.valueOf(key);
    }
    return all;
  }

  /** Objects are laid over one another, as VS Code does. */
  private valueOf(name: string): unknown {
    const layers = [this.defaults, this.user, this.workspace].map((layer) => layer.get(name));
    const set = layers.filter((value) => value !== undefined);
    const isObject = (value: unknown): value is object =>
      typeof value === "object" && value !== null && !Array.isArray(value);
    if (set.length > 1 && set.every(isObject)) return copyOf(Object.assign({}, ...set));
    return copyOf(set.at(-1));
  }
}

function copyOf<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
