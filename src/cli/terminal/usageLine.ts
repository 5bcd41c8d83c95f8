import { costText } from "../../core/agent/costText.js";
import type { Usage } from "../../core/agent/messages.js";
import { addCosts } from "../../core/agent/price.js";

/** Sums up model calls, tokens and costs on one line. */
export class UsageLine {
  private calls = 0;
  private input = 0;
  private output = 0;
  private cached = 0;
  private uncounted = 0;
  private cost: number | undefined = 0;

  get isEmpty(): boolean {
    return this.calls === 0;
  }

  /**
   * Adds one model call.
   *
   * @param usage `null` if the server did not report it
   */
  add(usage: Usage | null): void {
    this.calls++;
    this.cost = addCosts(this.cost, usage?.costUsd);
    if (usage === null) this.uncounted++;
    this.input += usage?.inputTokens ?? 0;
    this.output += usage?.outputTokens ?? 0;
    this.cached += usage?.cachedTokens ?? 0;
  }

  get text(): string {
    const number = (value: number) => value.toLocaleString("en");
    const cached = this.cached === 0 ? "" : ` (${number(this.cached)} cached)`;
    const calls = this.calls === 1 ? "1 model call" : `${number(this.calls)} model calls`;
    if (this.uncounted === this.calls) return `${calls}, tokens unknown`;
    const unknown = this.uncounted === 0 ? "" : ` (of ${number(this.uncounted)} unknown)`;
    const cost = costText(this.cost);
    const tokens = `${number(this.input)} tokens in${cached}, ${number(this.output)} out`;
    return `${calls}${unknown}, ${tokens}${cost === "" ? "" : `, ${cost}`}`;
  }
}
