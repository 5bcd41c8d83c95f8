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
