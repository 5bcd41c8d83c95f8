import type { Web, WebAnswer } from "../../core/ports.js";
import type { HttpWeb, HttpWebOptions } from "./httpWeb.js";

/** {@link HttpWeb}, which is loaded together with the Node modules that it needs at the first request. */
export class LateWeb implements Web {
  private loading: Promise<HttpWeb> | undefined;

  /** @param options called for every request, so that a changed setting takes effect at once */
  constructor(private readonly options: () => HttpWebOptions) {}

  async get(address: string, signal: AbortSignal): Promise<WebAnswer> {
    this.loading ??= import("./httpWeb.js").then(({ HttpWeb }) => new HttpWeb(this.options));
    return (await this.loading).get(address, signal);
  }
}
