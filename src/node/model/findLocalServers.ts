import { modelServers } from "../../core/models/modelServers.js";
import { modelEntries } from "./modelEntries.js";

export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** Milliseconds to wait: a server on this machine answers at once. */
const patienceMs = 1500;

/**
 * Finds the model servers that run on this machine at their usual addresses. Runs only when the user
 * asks for it.
 */
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
