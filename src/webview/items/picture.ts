import { LitElement, html, type TemplateResult } from "lit";
import type { RpcClient } from "../../protocol/rpcClient.js";

/** Addresses of images by the paths at which they are kept; their content never changes. */
const known = new Map<string, Promise<string | null>>();

/** The small picture of an attached image. Until it is there, and if it cannot be shown, an icon stands for it. */
export class Picture extends LitElement {
  static override properties = {
    path: { attribute: false },
    request: { attribute: false },
    address: { state: true },
  };
  declare path: string;
  declare request: RpcClient["request"];
  declare private address: string | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("path")) void this.load();
  }

  protected override render(): TemplateResult {
    return this.address === undefined
      ? html`<span class="codicon codicon-file-media" aria-hidden="true"></span>`
      : html`<img src=${this.address} alt="" />`;
  }

  private async load(): Promise<void> {
    const { path, request } = this;
    this.address = undefined;
    const loading = known.get(path) ?? request("picture", { path });
    known.set(path, loading);
    const address = await loading.catch(() => null);
    if (this.path === path) this.address = address ?? undefined;
  }
}
customElements.define("rooroo-picture", Picture);
