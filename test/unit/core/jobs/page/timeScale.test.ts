import assert from "node:assert/strict";
import fc from "fast-check";
import { Clock24 } from "../../../../../src/core/jobs/facts/clock24.js";
import { TimeScale } from "../../../../../src/core/jobs/page/timeScale.js";

const hour = 3_600_000;
const at = (text: string) => Date.parse(`2026-01-${text}:00.000Z`);
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });

describe("the time scale of a job page", () => {
  it("gives a night its whole width, and times of work between two nights none", () => {
    const one = new TimeScale([span("02T20:00", "02T22:00"), span("02T21:00", "03T00:00")]);
    assert.deepEqual(
      ["02T20:00", "02T22:00", "03T00:00"].map((time) => one.at(at(time))),
      [0, 0.5, 1],
    );
    const two = new TimeScale([span("02T20:00", "03T00:00"), span("03T20:00", "04T00:00")]);
    assert.equal(two.stretches.length, 2);
    const [left = 0, idle = 0, right = 0] = ["03T00:00", "03T10:00", "03T20:00"].map((time) =>
      two.at(at(time)),
    );
    assert.ok(left > 0.48 && right - left < 0.03 && idle >= left && idle <= right);
    // A short pause is drawn as it was.
    const pause = [span("02T20:00", "02T21:00"), span("02T21:15", "02T23:00")];
    assert.equal(new TimeScale(pause).stretches.length, 1);
  });

  it("has ticks at round times of the reader's clock, and not too many", () => {
    const scale = new TimeScale([span("02T20:10", "03T04:20")]);
    const times = (zone: string) => {
      const clock = new Clock24(zone, "en");
      return scale.ticks(clock).map(({ time }) => clock.time(time));
    };
    assert.deepEqual(times("UTC"), ["22:00", "00:00", "02:00", "04:00"]);
    assert.deepEqual(times("Asia/Kolkata"), ["02:00", "04:00", "06:00", "08:00"]);
  });

  it("keeps the order of times and stays within its width, whatever was worked when", () => {
    const clock = new Clock24("UTC", "en");
    const begin = fc.integer({ min: 0, max: 60 * 24 * 30 });
    const spans = fc.array(fc.tuple(begin, fc.integer({ min: 0, max: 900 })), { minLength: 1 });
    fc.assert(
      fc.property(spans, (given) => {
        const all = given.map(([from, lasts]) => {
          const began = at("01T00:00") + from * 60_000;
          return { from: began, to: began + lasts * 60_000 };
        });
        const scale = new TimeScale(all);
        const times = all.flatMap(({ from, to }) => [from, to, to + hour]).sort((a, b) => a - b);
        const places = times.map((time) => scale.at(time));
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        );
        assert.ok(places.every((place) => place >= 0 && place <= 1));
        const ticks = scale.ticks(clock);
        assert.ok(ticks.length <= 16 && ticks.every((tick) => tick.at >= 0 && tick.at <= 1));
      }),
    );
  });
});
