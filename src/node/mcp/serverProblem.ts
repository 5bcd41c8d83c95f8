import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { recordOf } from "../../core/documents/recordOf.js";
import { messageOf } from "../../core/errors.js";
import { visibleLine } from "../../core/text/visibleText.js";

/** The most characters of a server's words that are told. */
const most = 1_000;

/**
 * Returns what an error of the SDK says, on one line: without the pages that servers and proxies answer with in HTML, and
 * of an answer that is none of the protocol's, the first thing that is wrong.
 */
export function serverProblem(error: unknown): string {
  const { issues } = (error ?? {}) as { readonly issues?: unknown };
  if (Array.isArray(issues)) {
    const { path, message } = recordOf(issues[0]) ?? {};
    const place = Array.isArray(path) && path.length > 0 ? ` at ${path.join(".")}` : "";
    return visibleLine(`its answer is not as the protocol says${place}: ${String(message)}`, most);
  }
  const message = failureOf(error);
  const places = [
    message.search(/<(?:!doctype|\?xml|html|head|body|script|style)/i),
    message.slice(0, Math.max(0, message.lastIndexOf("</"))).search(/<[a-z][^<>]*>/i),
  ].filter((place) => place >= 0);
  const page = message.slice(0, Math.min(...places)).replace(/(?<![\s:,-])[\s:,-]+$/, "");
  const words = places.length === 0 ? message : `${page} (a web page)`;
  return [visibleLine(words.trim(), most), ...addresses(error)].join(" ");
}

/**
 * Returns an error's words. Of a connection that failed, `fetch` has the reason in the last cause; of a server that refuses,
 * the SDK has the status beside its words, which may be all that tells a missing login from a wrong address.
 */
function failureOf(error: unknown): string {
  if (error instanceof StreamableHTTPError && (error.code ?? 0) >= 400) {
    return error.message.replace(/^Streamable HTTP error/, `HTTP ${error.code}`);
  }
  let reason = "";
  for (let at = causeOf(error); at instanceof Error; at = causeOf(at))
    reason = at.message || reason;
  return reason === "" ? messageOf(error) : `${messageOf(error)}: ${reason}`;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/** Returns the addresses that a server wants a person to open before it goes on: error -32042 of the protocol. */
function addresses(error: unknown): string[] {
  const { code, data } = (error ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  const wanted = recordOf(data)?.["elicitations"];
  if (code !== -32_042 || !Array.isArray(wanted)) return [];
  return wanted.flatMap((one) => {
    const { url, message } = recordOf(one) ?? {};
    if (typeof url !== "string" || !/^https?:/i.test(url)) return [];
    const why = typeof message === "string" ? ` (${visibleLine(message, 200)})` : "";
    return `A person has to open ${visibleLine(url, most)}${why}, and then the call can be tried again.`;
  });
}
