import type { ServerResponse } from "node:http";

/** What the test's server says to a request. */
export type Answer = (response: ServerResponse, body: Record<string, unknown>) => void;

export function raw(body: string, type = "text/event-stream"): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  };
}

/** Returns a stream of these chunks and its end, cut into network packets where it hurts. */
export function sse(...chunks: readonly object[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    const bytes = Buffer.from(`${text}data: [DONE]\n\n`);
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  };
}

export function delta(content: object, finish_reason: string | null = null): object {
  return {
    id: "c",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: content, finish_reason }],
  };
}

export function refuse(status: number, message: string, code: string | null = null): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, code, type: "error" } }));
  };
}
