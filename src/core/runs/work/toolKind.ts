import { visibleLine } from "../../text/visibleText.js";

/** A type of tool task that the protocol knows by name; others follow their purpose only (R-MV-33). */
interface ToolKind {
  /** Instructions to the executor besides the task's purpose. */
  readonly how: string;
  /** Functions of the executor besides those for all tasks. */
  readonly functions?: readonly string[];
  /** The ending that its file has to have. */
  readonly ending?: string;
  readonly needsWebSearch?: true;
}

const kinds: readonly (ToolKind & { readonly name: RegExp })[] = [
  {
    name: /^web[ _-]?search$/i,
    how: "Search the web, read what matters, and write a report in Markdown: what was found, how sure it is, and the address of every source.",
    needsWebSearch: true,
  },
  {
    name: /^data[ _-]?visuali[sz]ation$/i,
    how: "Choose the kind of chart that shows best what the data say, and draw it with draw_chart. Only if you do not have that, write one HTML file that needs no other file, no script and no network: the chart as SVG, with a title, labelled axes, and the numbers as a table below it.",
    functions: ["draw_chart"],
    ending: ".html",
  },
];

export function toolKind(type: string): ToolKind | undefined {
  return kinds.find(({ name }) => name.test(type.trim()));
}

/** A helper that is one action of a known kind, so that nobody has to plan it. */
interface OneAction {
  readonly type: string;
  readonly name: string;
  readonly purpose: string;
}

/** Reads the purpose of helpers, as in `Data Visualization: hives by city`; `undefined` if it is to be planned. */
export function oneAction(purpose: string): OneAction | undefined {
  const [, type = "", what = ""] = /^([\w -]{1,40}):\s*(\S[^]*)$/.exec(purpose.trim()) ?? [];
  if (toolKind(type) === undefined) return undefined;
  return { type, name: visibleLine(what, 80), purpose: what };
}

/** Returns whether a purpose of helpers is a search of the web, which there must be a service for. */
export function isSearch(purpose: string): boolean {
  const action = oneAction(purpose);
  return action !== undefined && toolKind(action.type)?.needsWebSearch === true;
}
