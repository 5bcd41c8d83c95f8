import type { ProxyWorld } from "./hostProxy.js";
import type { SandboxLimits } from "./sandboxLimits.js";

export interface SandboxOptions {
  /**
   * The absolute path of a folder of this program's own, outside of every workspace. What commands
   * write is kept there until it is judged, and the caches of their tools.
   */
  readonly data: string;
  /** Absolute paths that no command may read, such as the folder of this program's settings. */
  readonly hidden?: readonly string[];
  /** Limits other than the usual ones. */
  readonly limits?: Partial<SandboxLimits>;
  /** The person's home folder. Default: what the system says. */
  readonly home?: string;
  /** How named hosts are reached. Default: by the system's resolver. */
  readonly proxyWorld?: ProxyWorld;
}
