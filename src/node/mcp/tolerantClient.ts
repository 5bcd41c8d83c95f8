import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { AnySchema, SchemaOutput } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type ClientRequest, LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { recordOf } from "../../core/documents/recordOf.js";

/**
 * What a server says of itself as it begins. The SDK refuses it for a version that is missing, or capabilities that are
 * `null` or have the list of tools itself; its servers list and run their tools all the same.
 */
const beginning = z.looseObject({
  protocolVersion: z
    .string()
    .nullish()
    // One that names none is taken at the version that it was asked for.
    .transform((version) => version ?? LATEST_PROTOCOL_VERSION),
  capabilities: z
    .unknown()
    .optional()
    .transform((given) => {
      const named = Object.entries(recordOf(given) ?? {});
      return Object.fromEntries(named.filter(([, value]) => value !== null && value !== false));
    }),
});

/** The SDK's client, which begins also with servers that leave out of their first answer what MCP asks for. */
export class TolerantClient extends Client {
  override request<T extends AnySchema>(
    request: ClientRequest,
    schema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    const read = request.method === "initialize" ? (beginning as AnySchema as T) : schema;
    return super.request(request, read, options);
  }
}
