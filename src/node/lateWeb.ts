import type { Web, WebAnswer } from "../core/ports.js";
import type { HttpWeb, HttpWebOptions } from "./httpWeb.js";

/** {@link HttpWeb}, loaded with what it needs of Node at the first address. */
export class LateWeb implements Web {
  private loading: Promise<HttpWeb> | undefined;

  /** @param options asked at every request, so that a changed setting counts at once */
  constructor(private readonly options: () => HttpWebOptions) {}

  async get(address: string, signal: AbortSignal): Promise<WebAnswer> {
    this.loading ??= import("./httpWeb.js").then(({ HttpWeb }) => new HttpWeb(this.options));
    return (await this.loading).get(address, signal);
  }
}
