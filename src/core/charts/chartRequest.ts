import * as z from "zod";
import { UserError } from "../errors.js";
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
/** An encoding channel of a requested chart (an axis or the colors), in the terms of Vega-Lite. */
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

/**
 * Returns an error that says why a request is invalid whatever the data are, and what to ask for instead; `undefined`
 * if the request is valid.
 */
export function chartProblem(request: ChartRequest): UserError | undefined {
  const { mark, x, y, color, stack } = request;
  const channels = [x, y, ...(color ? [color] : [])];
  const aggregates = channels.filter(({ aggregate }) => aggregate);
  if (aggregates.length > 1)
    return new UserError("severalAggregates", "Only one of x, y and color can have an aggregate.");
  for (const channel of channels) {
    const problem = channelProblem(channel);
    if (problem !== undefined) return problem;
  }
  const problem = axesProblem(request);
  if (problem !== undefined) return problem;
  if (color && mark !== "heatmap" && isMeasure(color)) {
    return new UserError(
      "colorQuantity",
      "Only a heatmap is colored by a quantity; elsewhere color is nominal or ordinal.",
    );
  }
  if (stack === "grouped" && mark === "area")
    return new UserError(
      "groupedAreas",
      "Areas cannot stand beside one another: choose the mark line.",
    );
  return undefined;
}

/** Returns an error that says which channels the request's mark needs instead; `undefined` if they fit it. */
function axesProblem({ mark, x, y, color }: ChartRequest): UserError | undefined {
  switch (mark) {
    case "bar":
      if (isMeasure(x) === isMeasure(y)) {
        return new UserError(
          "barAxes",
          "Bars need one quantitative axis without bin, which is their length, and one of another kind, which names them.",
        );
      }
      return undefined;
    case "line":
    case "area":
      if (!isMeasure(y))
        return new UserError("lineOrAreaY", "The y of the mark {mark} has to be quantitative.", {
          mark,
        });
      if (x.bin === true)
        return new UserError("histogramMark", "A histogram has bars: choose the mark bar.");
      return undefined;
    case "arc":
      if (isMeasure(x) || x.bin === true || !isMeasure(y))
        return new UserError(
          "arcAxes",
          "An arc's x names its slices (nominal), its y is their size (quantitative).",
        );
      if (color)
        return new UserError("arcColor", "An arc's slices are colored by x: leave color out.");
      return undefined;
    case "heatmap":
      if (!color || !isMeasure(color))
        return new UserError("heatmapColor", "A heatmap needs a quantitative color.");
      if (isMeasure(x) || isMeasure(y))
        return new UserError(
          "heatmapAxes",
          "A heatmap's x and y name its cells: choose nominal, ordinal or temporal, or bin.",
        );
      return undefined;
    case "point":
      if (!isMeasure(y) && !isMeasure(x))
        return new UserError("pointAxes", "Points need a quantitative x or y.");
      return undefined;
  }
}

/** Returns whether a channel shows an amount: a number that is not put into bins. */
export function isMeasure({ type, bin }: ChartChannel): boolean {
  return type === "quantitative" && bin !== true;
}

function channelProblem({
  field,
  type,
  aggregate,
  unit,
  bin,
}: ChartChannel): UserError | undefined {
  if ((field ?? undefined) === undefined && aggregate !== "count")
    return new UserError("fieldMissing", 'Name a field, or count rows with "aggregate": "count".');
  if (aggregate && type !== "quantitative")
    return new UserError("aggregateType", "What is aggregated is quantitative.");
  if (aggregate && bin === true)
    return new UserError("aggregateBin", "A field is either put into bins or aggregated.");
  if (bin === true && type !== "quantitative")
    return new UserError("binType", "Only a quantitative field can have bins.");
  if (unit && type !== "temporal")
    return new UserError("unitType", "Only a temporal field has a unit.");
  return undefined;
}
