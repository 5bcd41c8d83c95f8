import { manifest } from "./extensionStage.js";

interface Contribution {
  readonly command?: string;
  readonly view?: string;
  readonly when?: string;
}
const { menus, viewsWelcome } = (
  manifest as {
    contributes: {
      menus: Record<string, Contribution[]>;
      viewsWelcome: (Contribution & { contents: string })[];
    };
  }
).contributes;

/** Values of VS Code's context keys; one without a value is `false`. */
export type ContextKeys = Readonly<Record<string, string | number | boolean>>;

/** Returns the ids of the commands that one of VS Code's menus offers where the keys have these values. */
export function offered(menu: string, keys: ContextKeys): string[] {
  const entries = menus[menu] ?? [];
  return entries.flatMap(({ command, when }) =>
    command !== undefined && holds(when, keys) ? command : [],
  );
}

/** Returns the commands that VS Code offers on a row of a view, as buttons and in its menu. */
export function offeredOn(row: { readonly context: string }, view = "rooroo.tasks"): string[] {
  return offered("view/item/context", { view, viewItem: row.context });
}

/** Returns the texts that VS Code shows in a view that has no rows, as the manifest names them. */
export function welcomes(view: string, keys: ContextKeys): string[] {
  return viewsWelcome.flatMap((one) =>
    one.view === view && holds(one.when, keys) ? one.contents : [],
  );
}

function holds(when: string | undefined, keys: ContextKeys): boolean {
  return when === undefined || when.split(" && ").every((term) => isTrue(term, keys));
}

function isTrue(term: string, keys: ContextKeys): boolean {
  const { negated, key, operator, value } =
    /^(?<negated>!?)(?<key>[\w.]+)(?: (?<operator>==|!=|=~) (?<value>.+))?$/.exec(term)?.groups ??
    {};
  if (key === undefined) throw new Error(`Tests do not understand the condition ${term}.`);
  const now = keys[key] ?? false;
  if (operator === undefined) return Boolean(now) !== (negated === "!");
  if (operator === "=~") return new RegExp((value ?? "").slice(1, -1)).test(String(now));
  return (String(now) === value) === (operator === "==");
}
