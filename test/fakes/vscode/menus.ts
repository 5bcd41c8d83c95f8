/** Values of VS Code's context keys; one without a value is `false`. */
export type ContextKeys = Readonly<Record<string, unknown>>;

interface Entry {
  readonly command?: string;
  readonly view?: string;
  readonly contents?: string;
  readonly when?: string;
}

/**
 * Returns the commands that a manifest adds to one of VS Code's menus while the context keys have these values. Of the
 * language of `when` it knows what the manifest uses; it throws for the rest.
 */
export function menuOf(manifest: object, menu: string, keys: ContextKeys): string[] {
  const { contributes } = manifest as { contributes?: { menus?: Record<string, Entry[]> } };
  const entries = contributes?.menus?.[menu];
  if (entries === undefined) throw new Error(`The manifest adds nothing to the menu ${menu}.`);
  return entries.flatMap(({ command, when }) =>
    command !== undefined && holds(when, keys) ? command : [],
  );
}

/** Returns the texts that a view without rows shows while the context keys have these values, as in {@link menuOf}. */
export function welcomesOf(manifest: object, view: string, keys: ContextKeys): string[] {
  const { contributes } = manifest as { contributes?: { viewsWelcome?: Entry[] } };
  return (contributes?.viewsWelcome ?? []).flatMap((one) =>
    one.view === view && holds(one.when, keys) ? (one.contents ?? []) : [],
  );
}

function holds(when: string | undefined, keys: ContextKeys): boolean {
  if (when === undefined) return true;
  return when
    .split("||")
    .some((part) => part.split("&&").every((condition) => isTrue(condition.trim(), keys)));
}

function isTrue(condition: string, keys: ContextKeys): boolean {
  const [, not = "", key = "", operator, right = ""] =
    /^(!?)([\w.-]+)(?: (==|!=|=~|>) (.+))?$/.exec(condition) ?? [];
  if (key === "") throw new Error(`Nobody here can read “${condition}”.`);
  const value = keys[key];
  switch (operator) {
    case undefined:
      return Boolean(value) !== (not === "!");
    case "==":
      return String(value) === right;
    case "!=":
      return String(value) !== right;
    case ">":
      return Number(value) > Number(right);
    default: {
      const [, source = "", flags = ""] = /^\/(.+)\/(\w*)$/.exec(right) ?? [];
      return RegExp(source, flags).test(typeof value === "string" ? value : "");
    }
  }
}
