export const chartMarks = ["bar", "line", "area", "point", "arc", "heatmap"] as const;
type ChartMark = (typeof chartMarks)[number];

/** The field that an axis or the colors of a chart show. */
export type ChartField =
  /** A number. If `step` is set, each value is the lower bound of a bin of that width. */
  | { readonly kind: "number"; readonly title: string; readonly step?: number | undefined }
  /** The values are milliseconds since the epoch, shown as UTC. */
  | { readonly kind: "time"; readonly title: string }
  | {
      readonly kind: "category";
      readonly title: string;
      /** The categories in the order in which they are shown. */
      readonly values: readonly string[];
      /**
       * Whether the categories are ranked from low to high, as answers from "never" to "always"
       * are.
       */
      readonly ordered?: boolean;
    };

/** A bar, dot, slice or cell, or one point of a line. */
export interface ChartPoint {
  readonly x: number | string;
  readonly y: number | string;
  readonly color?: number | string;
  /** The point's values, formatted for display. */
  readonly texts: { readonly x: string; readonly y: string; readonly color?: string };
  /** A label that is drawn next to the point. */
  readonly label?: string;
}

/**
 * A validated chart as plain data: it contains no formula, no address and no code of a drawing
 * language. In an `arc` chart, x names the slices and y is their size.
 */
export interface Chart {
  readonly mark: ChartMark;
  readonly x: ChartField;
  readonly y: ChartField;
  readonly color?: ChartField;
  /** The arrangement of bars or areas of several colors at one position. */
  readonly stack: "stacked" | "grouped" | "share";
  /** The BCP 47 tag of the language in which numbers and dates are written, such as `de`. */
  readonly language: string;
  readonly points: readonly ChartPoint[];
}

/** Returns whether a field shows amounts, which are numbers that are not put into bins. */
export function showsAmounts(field: ChartField | undefined): boolean {
  return field?.kind === "number" && field.step === undefined;
}

/** Returns the channels of a chart in reading order: what a point is about, then how much it is. */
export function readingOrder(chart: Chart): readonly ("x" | "y" | "color")[] {
  return (["x", "y", "color"] as const)
    .filter((name) => chart[name] !== undefined)
    .sort((a, b) => Number(showsAmounts(chart[a])) - Number(showsAmounts(chart[b])));
}

/** Returns the data of a chart as the table below it, with one row for each point. */
export function chartRows(chart: Chart) {
  const names = readingOrder(chart);
  return {
    columns: names.map((name) => {
      const field = chart[name];
      return { title: field?.title ?? "", isNumber: showsAmounts(field) };
    }),
    rows: chart.points.map(({ texts }) => names.map((name) => texts[name] ?? "")),
  };
}
