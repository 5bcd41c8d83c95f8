import type { RunId } from "../../ids.js";
import type { RunRow } from "./runTables.js";

/** Relative to the request's similarity to itself: one common word is not enough, two or three are. */
const leastLikeness = 0.05;
const most = 5;

/**
 * Returns earlier runs with similar requests, the most similar first (R-MV-6). Later runs are left out, so
 * that the result never changes.
 */
export async function similarRuns(
  runId: RunId,
  runs: readonly RunRow<"process_runs">[],
): Promise<RunRow<"process_runs">[]> {
  const at = runs.findIndex(({ run_id }) => run_id === runId);
  const own = runs[at];
  if (own === undefined) return [];
  const known = runs.slice(0, at + 1);
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<{ id: number; text: string }>({
    fields: ["text"],
    tokenize: wordsOf,
    searchOptions: {
      prefix: (word) => word.length > 4,
      fuzzy: (word) => (word.length > 5 ? 0.2 : 0),
    },
  });
  index.addAll(known.map(({ user_request }, id) => ({ id, text: user_request })));
  const found = index.search(own.user_request);
  const whole = found.find(({ id }) => id === at)?.score ?? 0;
  return found
    .filter(({ id, score }) => id !== at && score >= whole * leastLikeness)
    .slice(0, most)
    .flatMap(({ id }) => known[id as number] ?? []);
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** Splits a text into words, also in languages without spaces. */
function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment.toLowerCase()] : [],
  );
}
