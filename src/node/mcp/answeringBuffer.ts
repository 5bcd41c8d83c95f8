import {
  ReadBuffer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE as mostBytes,
} from "@modelcontextprotocol/sdk/shared/stdio.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { recordOf } from "../../core/documents/recordOf.js";
import { visibleLine } from "../../core/text/visibleText.js";

/** The most characters of an answer that an error quotes. */
const mostWords = 200;

/**
 * Reads the messages of a server, one a line, from its output. The SDK's own buffer drops a message that is not valid, and
 * the request that it answers waits until its time is up. This one turns such an answer into an error for that request,
 * takes `null` in place of an optional field as its absence and in place of a result as an empty one, and reads batches.
 */
export class AnsweringBuffer extends ReadBuffer {
  private waiting = Buffer.alloc(0);
  /** Messages of a batch that have not been returned. */
  private batch: unknown[] = [];

  override append(chunk: Buffer): void {
    const bytes = this.waiting.length + chunk.length;
    if (bytes > mostBytes) {
      this.clear();
      throw new Error(`One message has more than ${mostBytes} bytes.`);
    }
    this.waiting = Buffer.concat([this.waiting, chunk]);
  }

  override readMessage(): JSONRPCMessage | null {
    if (this.batch.length > 0) return messageOf(this.batch.shift());
    const end = this.waiting.indexOf("\n");
    if (end === -1) return null;
    const line = this.waiting.toString("utf8", 0, end);
    this.waiting = this.waiting.subarray(end + 1);
    const given: unknown = JSON.parse(line);
    if (!Array.isArray(given) || given.length === 0) return messageOf(given);
    // The protocol of 2025-03-26 has batches.
    this.batch = given as unknown[];
    return this.readMessage();
  }

  override clear(): void {
    this.waiting = Buffer.alloc(0);
    this.batch = [];
  }
}

/** Returns the message that a server means. Throws the SDK's error if it is none, and answers no request. */
function messageOf(given: unknown): JSONRPCMessage {
  const valid = JSONRPCMessageSchema.safeParse(given);
  if (valid.success) return valid.data;
  const fields = recordOf(given) ?? {};
  const meant = JSONRPCMessageSchema.safeParse(withoutNulls(fields));
  if (meant.success) return meant.data;
  const { id, method, result, error } = fields;
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  if (!isAnswer || (typeof id !== "string" && typeof id !== "number")) throw valid.error;
  const quoted = visibleLine(JSON.stringify(given), mostWords);
  const message = `it sent an answer that MCP does not allow: ${quoted}`;
  return { jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidRequest, message } };
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns a message without optional fields that are `null`. A `null` result without an error becomes an empty one. */
function withoutNulls(message: Fields): Fields {
  const fields = present(message);
  const isEmpty = message["result"] === null && fields["error"] === undefined;
  const result = isEmpty ? {} : recordOf(fields["result"]);
  return result === undefined ? fields : { ...fields, result: present(result) };
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
