/** A list's item. Rows are 0-based, as everywhere in `TextLines`. */
export interface ListItem {
  readonly kind: "item";
  readonly row: number;
  /** The row after the item's last, without blank rows behind it. */
  readonly end: number;
  /** The rows of the item's first paragraph, from {@link row} on, without indentation and list marker. */
  readonly lines: readonly string[];
  /** The column in its row at which the first of {@link lines} begins. */
  readonly column: number;
  readonly items: readonly ListItem[];
}

/** A heading of Markdown, with `#` before it. */
interface Heading {
  readonly kind: "heading";
  readonly row: number;
  readonly level: number;
  readonly text: string;
}

/** A part of a document at its top level: nothing within quotes, fences and comments. */
export type Block =
  | ListItem
  | Heading
  | { readonly kind: "rule"; readonly row: number }
  | { readonly kind: "paragraph"; readonly row: number; readonly lines: readonly string[] };
