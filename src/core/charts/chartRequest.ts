import * as z from "zod";
import { chartMarks } from "./chart.js";
import { timeUnits } from "./timeUnits.js";

const aggregates = ["count", "sum", "mean", "median", "min", "max"] as const;
export type Aggregate = (typeof aggregates)[number];

const text = (most: number) => z.string().max(most);

const channel = z.object({
  field: text(200).nullish().describe("A column's name; none for a count of rows"),
  type: z
    .enum(["quantitative", "temporal", "nominal", "ordinal"])
    .describe("ordinal keeps the data's order"),
  aggregate: z.enum(aggregates).nullish(),
  unit: z.enum(timeUnits).nullish().describe("Of a temporal field: group by it"),
  bin: z.boolean().nullish().describe("Of a quantitative field: group in steps, for a histogram"),
  title: text(100).nullish().describe("With the unit of measure, as in Revenue (€)"),
});
/** What an axis or the colors of a requested chart show, in the terms of Vega-Lite. */
export type ChartChannel = z.infer<typeof channel>;

/** The schema of a chart that a model requests. */
export const chartRequest = z.object({
  mark: z.enum(chartMarks),
  x: channel.describe("Of an arc: names the slices"),
  y: channel.describe("Of an arc: their size. Nominal y and quantitative x make horizontal bars"),
  color: channel.nullish().describe("Series; of a heatmap, the quantity"),
  stack: z
    .enum(["stacked", "grouped", "share"])
    .nullish()
    .describe("Bars or areas of several colors: upon or beside one another, or as parts of 100 %"),
  sort: z
    .enum(["largest_first", "smallest_first", "name", "data"])
    .nullish()
    .describe("Of bars and slices; default largest_first, of ordinal fields data"),
  decimal: z.enum([".", ","]).nullish().describe("What decimals in the data begin with"),
  language: text(35).nullish().describe("Of the texts, as in de; default en"),
});
export type ChartRequest = z.infer<typeof chartRequest>;
