import {
  deserializeMessage,
  ReadBuffer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE as mostBytes,
} from "@modelcontextprotocol/sdk/shared/stdio.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { parseJson } from "../../core/documents/parseJson.js";
import { recordOf } from "../../core/documents/recordOf.js";
import { visibleLine } from "../../core/text/visibleText.js";

/** The most characters of a server's words that are told. */
const mostWords = 200;

/**
 * Reads the messages of a server, one a line, from its output. The SDK's own buffer drops what it cannot read, and the
 * request whose answer that was then waits until its time is up: here, it is answered with an error, or with nothing where
 * the server has answered `null`.
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
      const answer = answerIn(line);
      if (answer === undefined) throw error;
      return answer;
    }
  }

  override clear(): void {
    this.waiting = Buffer.alloc(0);
  }
}

/** Returns what a line answers that is an answer of JSON-RPC, and none of the protocol; `undefined` if it is none. */
function answerIn(line: string): JSONRPCMessage | undefined {
  const parsed = parseJson(line);
  const { id, method, result, error } = (parsed.ok ? recordOf(parsed.value) : undefined) ?? {};
  if ((typeof id !== "string" && typeof id !== "number") || method !== undefined) return undefined;
  if (result === null && error === undefined) return { jsonrpc: "2.0", id, result: {} };
  if (result === undefined && error === undefined) return undefined;
  const message = `it sent an answer that is none of the protocol: ${visibleLine(line, mostWords)}`;
  return { jsonrpc: "2.0", id, error: { code: ErrorCode.InvalidRequest, message } };
}
