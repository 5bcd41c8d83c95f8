import {
  deserializeMessage,
  ReadBuffer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE as mostBytes,
} from "@modelcontextprotocol/sdk/shared/stdio.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { parseJson } from "../../core/documents/parseJson.js";
import { recordOf } from "../../core/documents/recordOf.js";
import { visibleLine } from "../../core/text/visibleText.js";

/** The most characters of a server's words that are told. */
const mostWords = 200;

/**
 * Reads the messages of a server, one a line, from its output. The SDK's own buffer drops what it cannot read, and the
 * request whose answer that was then waits until its time is up: here, it is answered with an error, or with nothing where
 * the server has answered `null`. Where a field that may be absent is `null`, as some servers write it, it counts as absent.
 */
export class AnsweringBuffer extends ReadBuffer {
  private waiting = Buffer.alloc(0);

  override append(chunk: Buffer): void {
    const bytes = this.waiting.length + chunk.length;
    if (bytes > mostBytes) {
      this.clear();
      throw new Error(`One message has more than ${mostBytes} bytes.`);
    }
    this.waiting = Buffer.concat([this.waiting, chunk]);
  }

  override readMessage(): JSONRPCMessage | null {
    const end = this.waiting.indexOf("\n");
    if (end === -1) return null;
    const line = this.waiting.toString("utf8", 0, end).replace(/\r$/, "");
    this.waiting = this.waiting.subarray(end + 1);
    try {
      return deserializeMessage(line);
    } catch (error) {
      const batch = batchIn(line);
      if (batch !== undefined) {
        this.waiting = Buffer.concat([Buffer.from(batch), this.waiting]);
        return this.readMessage();
      }
      const message = messageIn(line);
      if (message === undefined) throw error;
      return message;
    }
  }

  override clear(): void {
    this.waiting = Buffer.alloc(0);
  }
}

/** Returns the messages of a batch, which the protocol of 2025-03-26 has, each as a line; `undefined` if a line is none. */
function batchIn(line: string): string | undefined {
  const parsed = parseJson(line);
  const list: readonly unknown[] = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  if (list.length === 0 || !list.every(recordOf)) return undefined;
  return list.map((one) => `${JSON.stringify(one)}\n`).join("");
}

/** Returns the message that a line means which is none of the protocol; `undefined` if it means none. */
function messageIn(line: string): JSONRPCMessage | undefined {
  const parsed = parseJson(line);
  const given = parsed.ok ? recordOf(parsed.value) : undefined;
  const meant = JSONRPCMessageSchema.safeParse(withoutNulls(given ?? {}));
  if (meant.success) return meant.data;
  const { id, method, result, error } = given ?? {};
  if ((typeof id !== "string" && typeof id !== "number") || method !== undefined) return undefined;
  if (result === undefined && error === undefined) return undefined;
  const message = `it sent an answer that is none of the protocol: ${visibleLine(line, mostWords)}`;
  return { jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidRequest, message } };
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns a message without the fields that are `null`; the result becomes an empty one where there is no error. */
function withoutNulls(message: Fields): Fields {
  const { _meta: meta, ...rest } = recordOf(message["result"]) ?? {};
  const result =
    meta === null || (message["result"] === null && (message["error"] ?? null) === null)
      ? { result: rest }
      : {};
  return Object.fromEntries(
    Object.entries({ ...message, ...result }).filter(([, value]) => value !== null),
  );
}
