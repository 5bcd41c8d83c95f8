import type { Chart } from "../../src/core/charts/chart.js";
import type { Charts } from "../../src/core/ports/charts.js";
import { escapeHtml } from "../../src/core/text/escapeHtml.js";

/** Writes what a chart says where a real one draws it; keeps what it was asked for. */
export class PlainCharts implements Charts {
  readonly asked: Chart[] = [];

  async svg(chart: Chart, signal: AbortSignal): Promise<string> {
    await Promise.resolve();
    signal.throwIfAborted();
    this.asked.push(chart);
    const { x, y, color, points } = chart;
    const titles = [x, y, ...(color ? [color] : [])].map(({ title }) => title);
    const names = [x, y, color].flatMap((one) => (one?.kind === "category" ? one.values : []));
    const texts = [...titles, ...names].map(
      (text) => `<text fill="var(--text)">${escapeHtml(text)}</text>`,
    );
    const shapes = points.map(({ texts: said }) => {
      const tip = Object.values(said).join(" ");
      return `<path aria-label="${escapeHtml(tip)}" d="M0,0h1v1Z" fill="var(--series-1)"/>`;
    });
    return `<svg class="marks" xmlns="http://www.w3.org/2000/svg" width="10" height="10" viewBox="0 0 10 10">${[...texts, ...shapes].join("")}</svg>`;
  }
}
