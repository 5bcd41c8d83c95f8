export const chartMarks = ["bar", "line", "area", "point", "arc", "heatmap"] as const;
type ChartMark = (typeof chartMarks)[number];

/** What stands on an axis of a chart, or in its colours. */
export type ChartField =
  /** With `step`, each value is where a bin of that width begins. */
  | { readonly kind: "number"; readonly title: string; readonly step?: number | undefined }
  /** Milliseconds since the epoch, shown as UTC. */
  | { readonly kind: "time"; readonly title: string }
  | {
      readonly kind: "category";
      readonly title: string;
      /** In the order in which they are shown. */
      readonly values: readonly string[];
      /** They go from little to much, as answers from "never" to "always" do. */
      readonly ordered?: boolean;
    };

/** One bar, dot, slice or cell, or one stop of a line. */
export interface ChartPoint {
  readonly x: number | string;
  readonly y: number | string;
  readonly color?: number | string;
  /** The same as people read it. */
  readonly texts: { readonly x: string; readonly y: string; readonly color?: string };
  /** Written beside it. */
  readonly label?: string;
}

/**
 * A chart as plain data that has been checked: nothing in it is a formula, an address or a piece of
 * somebody's drawing language. Of an `arc`, x names the slices and y is their size.
 */
export interface Chart {
  readonly mark: ChartMark;
  readonly x: ChartField;
  readonly y: ChartField;
  readonly color?: ChartField;
  /** How bars and areas of several colours share a place. */
  readonly stack: "stacked" | "grouped" | "share";
  /** BCP 47, as in `de`: how numbers and dates are written. */
  readonly language: string;
  readonly points: readonly ChartPoint[];
}
