import { modelServers } from "../core/models/modelServers.js";
import { modelEntries } from "./modelEntries.js";

export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** A server of this machine answers at once, if it is there. */
const patienceMs = 1500;

/** Looks, on this machine only, where the usual servers listen. Asked for by the person alone. */
export async function findLocalServers(
  signal: AbortSignal,
  candidates: readonly { readonly name: string; readonly baseUrl: string }[] = modelServers.filter(
    ({ baseUrl }) => baseUrl.startsWith("http://localhost:"),
  ),
): Promise<LocalServer[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const found = await Promise.all(
    candidates.map(async ({ name, baseUrl }): Promise<LocalServer[]> => {
      try {
        const models = (await modelEntries({ baseUrl }, limit)).map(({ id }) => id);
        return [{ name, baseUrl, models }];
      } catch {
        return [];
      }
    }),
  );
  signal.throwIfAborted();
  return found.flat();
}
