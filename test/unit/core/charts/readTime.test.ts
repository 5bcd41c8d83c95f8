import assert from "node:assert/strict";
import fc from "fast-check";
import { readTime } from "../../../../src/core/charts/readCells.js";
import {
  nextUnit,
  startOf,
  timeText,
  timeUnits,
  unitOf,
} from "../../../../src/core/charts/timeUnits.js";

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

describe("readTime", () => {
  it("reads dates that can be read in one way only", () => {
    const cases: readonly (readonly [string | number, string])[] = [
      ["2025", "2025-01-01T00:00:00.000Z"],
      [2025, "2025-01-01T00:00:00.000Z"],
      ["2025-03", "2025-03-01T00:00:00.000Z"],
      ["2025-3-9", "2025-03-09T00:00:00.000Z"],
      ["2025/03/31", "2025-03-31T00:00:00.000Z"],
      ["2025-03-31 14:05", "2025-03-31T14:05:00.000Z"],
      ["2025-03-31T14:05:06.7Z", "2025-03-31T14:05:06.700Z"],
      ["2025-03-31T14:05:06+02:00", "2025-03-31T12:05:06.000Z"],
      ["31.3.2025", "2025-03-31T00:00:00.000Z"],
      ["31. 03. 2025 08:30", "2025-03-31T08:30:00.000Z"],
      ["2025-Q2", "2025-04-01T00:00:00.000Z"],
      ["Q4 2024", "2024-10-01T00:00:00.000Z"],
      [1735689600000, "2025-01-01T00:00:00.000Z"],
    ];
    for (const [cell, expected] of cases) assert.equal(iso(readTime(cell)), expected, String(cell));
  });

  it("leaves alone what is no date, or might be two", () => {
    for (const cell of [
      "3/4/2025",
      "2025-02-30",
      "2025-13-01",
      "soon",
      "2025-01-01T25:00",
      12,
      3.5,
      true,
      "",
    ]) {
      assert.equal(readTime(cell), undefined, String(cell));
    }
  });
});

describe("timeUnits", () => {
  const moments = fc.integer({ min: Date.UTC(1800, 0), max: Date.UTC(2200, 0) });

  it("begin before a moment, and the next one after it", () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...timeUnits), (ms, unit) => {
        const start = startOf(ms, unit);
        assert.ok(start <= ms && ms < nextUnit(start, unit));
        assert.equal(startOf(start, unit), start);
        assert.equal(startOf(nextUnit(start, unit), unit), nextUnit(start, unit));
      }),
    );
    assert.equal(new Date(startOf(Date.UTC(2025, 2, 30), "week")).getUTCDay(), 1);
  });

  it("are as long as what they are found in", () => {
    assert.equal(unitOf([Date.UTC(2025, 0), Date.UTC(2026, 0)]), "year");
    assert.equal(unitOf([Date.UTC(2025, 0), Date.UTC(2025, 3)]), "month");
    assert.equal(unitOf([Date.UTC(2025, 0, 2)]), "day");
    assert.equal(unitOf([Date.UTC(2025, 0, 2, 3, 4)]), undefined);
  });

  it("are written as people write them", () => {
    assert.equal(timeText(Date.UTC(2025, 2), "month", "de"), "März 2025");
    assert.equal(timeText(Date.UTC(2025, 3), "quarter", "en"), "Q2 2025");
    assert.equal(timeText(Date.UTC(2025, 3, 2), "day", "en"), "Apr 2, 2025");
  });
});
