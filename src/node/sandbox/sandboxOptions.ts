import type { ProxyWorld } from "./hostProxy.js";
import type { SandboxLimits } from "./sandboxLimits.js";

export interface SandboxOptions {
  /**
   * The absolute path of a folder of this program's own, outside of every workspace. It contains what
   * commands write until that is judged, and the caches of their tools.
   */
  readonly data: string;
  /** Absolute paths that no command may read, such as the folder of this program's settings. */
  readonly hidden?: readonly string[];
  /** Limits other than the usual ones. */
  readonly limits?: Partial<SandboxLimits>;
  /** The user's home folder. Default: the one that the system names. */
  readonly home?: string;
  /** How named hosts are reached. Default: by the system's resolver. */
  readonly proxyWorld?: ProxyWorld;
}
