import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * Starts the model that `script.mjs` describes, on 127.0.0.1.
 *
 * @param {{ beforeReplyMs?: number, betweenChunksMs?: number }} [pace] Default: at once.
 */
export async function startModelServer(pace = {}) {
  const worker = new Worker(new URL("serve.mjs", import.meta.url), { workerData: pace });
  const [{ url }] = await once(worker, "message");
  return {
    /** Ends with `/v1`. @type {string} */
    url,
    /** The requests' bodies since it was last asked. @returns {Promise<any[]>} */
    async journal() {
      worker.postMessage("journal");
      const [{ journal }] = await once(worker, "message");
      return journal;
    },
    stop: () => worker.terminate(),
  };
}
