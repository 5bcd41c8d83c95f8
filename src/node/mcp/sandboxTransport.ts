import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { LongCommand } from "../sandbox/longCommand.js";
import { AnsweringBuffer } from "./answeringBuffer.js";

/** Talks with a server in the sandbox over its standard input and output. */
export class SandboxTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly buffer = new AnsweringBuffer();
  private running: LongCommand | undefined;
  private isClosed = false;

  /** @param onErrorOutput called with what the server prints on standard error */
  constructor(
    private readonly begin: () => Promise<LongCommand>,
    private readonly onErrorOutput: (piece: string) => void,
  ) {}

  async start(): Promise<void> {
    const running = await this.begin();
    this.running = running;
    const { stdin, stdout, stderr } = running.child;
    for (const stream of [stdin, stdout, stderr]) {
      stream?.on("error", (error) => this.onerror?.(error));
    }
    stdout?.on("data", (chunk: Buffer) => {
      this.receive(chunk);
    });
    stderr?.on("data", (chunk: Buffer) => {
      this.onErrorOutput(chunk.toString());
    });
    running.child.once("close", () => {
      void running.end().catch(() => undefined);
      this.onclose?.();
    });
    if (this.isClosed) await this.close();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.running?.child.stdin;
    if (!stdin?.writable) return Promise.reject(new Error("It has ended."));
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.running?.child.stdin?.end();
    await this.running?.end();
  }

  private receive(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch (error) {
      // More without a line's end than any message has.
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}
