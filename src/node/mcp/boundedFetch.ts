import { STDIO_DEFAULT_MAX_BUFFER_SIZE as mostBytes } from "@modelcontextprotocol/sdk/shared/stdio.js";

/**
 * Returns a `fetch` for a server that is reached over HTTP: a body fails as soon as one message in it has more bytes than a
 * server's program may print in one. The SDK would wait for its end.
 *
 * @param onTooLong called with the reason when that is in a stream of messages, of which the SDK waits for the next
 */
export function boundedFetch(onTooLong: (reason: string) => void): typeof fetch {
  return async (...asked) => {
    const response = await fetch(...asked);
    const { body, headers, status } = response;
    // Of a redirect, the SDK reads the address only.
    if (body === null || (status >= 300 && status < 400)) return response;
    const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
    let bytes = 0;
    let isLineEmpty = true;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (isStream) {
          for (const byte of chunk) {
            bytes++;
            if (byte === carriageReturn) continue;
            // An empty line ends a message.
            if (byte === newline && isLineEmpty) bytes = 0;
            isLineEmpty = byte === newline;
          }
        } else bytes += chunk.length;
        if (bytes <= mostBytes) {
          controller.enqueue(chunk);
          return;
        }
        const reason = `One message has more than ${mostBytes} bytes.`;
        controller.error(new Error(reason));
        if (isStream) onTooLong(reason);
      },
    });
    return new Response(body.pipeThrough(bounded), response);
  };
}

const newline = 10;
const carriageReturn = 13;
