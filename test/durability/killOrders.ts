import { fileURLToPath } from "node:url";

/** When a process is to be killed: see `killSwitch.cts`. */
export interface KillOrders {
  readonly when: "before" | "after" | "torn";
  readonly at: number;
}

const preload = fileURLToPath(new URL("killSwitch.cjs", import.meta.url));

/** Folders of which there is to be a copy at every moment that changes something; by its name there. */
export interface Copies {
  readonly of: Readonly<Record<string, string>>;
  readonly to: string;
}

/** Returns the environment of a process that carries the orders out, and leaves a note about it. */
export function killEnvironment(
  orders: KillOrders,
  note: string,
  copies?: Copies,
): Record<string, string> {
  return {
    NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    ROOROO_TEST_KILL: JSON.stringify({ ...orders, note, copies }),
  };
}
