import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { UserError } from "../../core/errors.js";

/** A response, whose body is the stream. */
export type WebResponse = Readable & {
  readonly statusCode?: number | undefined;
  readonly headers: Pick<
    IncomingMessage["headers"],
    "content-type" | "content-encoding" | "location"
  >;
};

/** A response's body, decoded. */
export interface TextBody {
  /** The content type without parameters, in lower case. */
  readonly contentType: string;
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * Reads a body of text, decompressed where necessary: at most `maxBytes` of the text, and no more from
 * the network than that takes. Throws a `UserError` for what is not text.
 */
export async function readBody(response: WebResponse, maxBytes: number): Promise<TextBody> {
  const header = response.headers["content-type"] ?? "";
  const contentType = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (contentType !== "" && !isText(contentType)) {
    response.destroy();
    throw new UserError(
      "pageNotText",
      "The page is {type}, not text, so it was not read. Fetch another page.",
      {
        type: contentType,
      },
    );
  }
  const { bytes, truncated } = await readBytes(unpacked(response), maxBytes);
  response.destroy();
  const named = /charset\s*=\s*["']?([\w-]+)/i.exec(header)?.[1];
  const text = decode(bytes, named ?? charsetInside(bytes, contentType));
  if (contentType === "" && text.includes("\0")) {
    throw new UserError(
      "pageUnknownType",
      "The page has no content type and is not text, so it was not read. Fetch another page.",
    );
  }
  return { contentType, text, truncated };
}

function isText(type: string): boolean {
  return (
    type.startsWith("text/") ||
    /^application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|javascript|ecmascript|toml|x-sh|sql|graphql|x-ndjson|jsonl)$/.test(
      type,
    ) ||
    /\+(json|xml|yaml|text)$/.test(type)
  );
}

function unpacked(response: WebResponse): Readable {
  const coding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[coding];
  if (unpack !== undefined) {
    const stream = unpack();
    response.once("error", (error) => stream.destroy(error));
    return response.pipe(stream);
  }
  if (coding === "identity" || coding === "") return response;
  response.destroy();
  throw new UserError(
    "pageEncodingUnknown",
    "The page has a content encoding that cannot be read ({encoding}). Fetch another page.",
    { encoding: coding.slice(0, 40) },
  );
}

async function readBytes(
  body: Readable,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, maxBytes), truncated: length > maxBytes };
}

/** Returns the character set that a page or a feed names near its beginning. */
function charsetInside(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/html|xml/.test(contentType)) return undefined;
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const [, page, feed] =
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(start) ??
    [];
  return page ?? feed;
}

function decode(bytes: Uint8Array, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
