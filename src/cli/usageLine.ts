import type { Usage } from "../core/agent/messages.js";

/** What the model was asked, and what it counted, in one line. */
export class UsageLine {
  private calls = 0;
  private input = 0;
  private output = 0;
  private cached = 0;

  get isEmpty(): boolean {
    return this.calls === 0;
  }

  add({ inputTokens, outputTokens, cachedTokens }: Usage): void {
    this.calls++;
    this.input += inputTokens;
    this.output += outputTokens;
    this.cached += cachedTokens;
  }

  get text(): string {
    const number = (value: number) => value.toLocaleString("en");
    const cached = this.cached === 0 ? "" : ` (${number(this.cached)} cached)`;
    const calls = this.calls === 1 ? "1 model call" : `${number(this.calls)} model calls`;
    return `${calls}, ${number(this.input)} tokens in${cached}, ${number(this.output)} out`;
  }
}
