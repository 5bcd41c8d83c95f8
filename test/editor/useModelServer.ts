import { ModelServer } from "../modelServer/modelServer.js";
import { configure } from "./product.js";

/** A model for the tests around, and settings by their names without the first part. */
export function useModelServer(
  onStart: (server: ModelServer) => void,
  others: Readonly<Record<string, unknown>> = {},
): void {
  let server: ModelServer;
  let settings: Readonly<Record<string, unknown>> = {};
  before(async () => {
    server = await ModelServer.start();
    settings = { "model.baseUrl": server.url, "model.name": "gpt-test", ...others };
    for (const [key, value] of Object.entries(settings)) await configure(key, value);
    onStart(server);
  });
  after(async () => {
    for (const key of Object.keys(settings)) await configure(key, undefined);
    await server.stop();
  });
}
