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
    how: "Search the web, read what counts, and write a report in Markdown: what was found, how sure it is, and the address of every source.",
    needsWebSearch: true,
  },
  {
    name: /^data[ _-]?visuali[sz]ation$/i,
    how: "Choose the kind of chart that shows best what the data says, and draw it with draw_chart. Only if you do not have that, write one HTML file that needs no other file, no script and no network: the chart as SVG, with a title, labelled axes, and the numbers as a table below it.",
    functions: ["draw_chart"],
    ending: ".html",
  },
];

export function toolKind(type: string): ToolKind | undefined {
  return kinds.find(({ name }) => name.test(type.trim()));
}
