import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { recordOf } from "../../core/documents/recordOf.js";
import { visibleLine } from "../../core/text/visibleText.js";

/** The most characters of a server's words, and of an address. */
const mostWords = 300;
const mostAddress = 1_000;

/** Requests of a server that are answered with a refusal, told to those who wait for it meanwhile. */
export class RefusedRequests {
  private readonly listeners = new Set<(line: string) => void>();

  /** Returns the error that refuses a request of the server. */
  refusal(request: { readonly method: string; readonly params?: unknown }): McpError {
    for (const hear of this.listeners) hear(lineOn(request));
    return new McpError(ErrorCode.MethodNotFound, `This client does not offer ${request.method}.`);
  }

  /** Collects what is refused from now on, each once, in words for the model and the person. */
  listen(): { readonly lines: ReadonlySet<string>; readonly stop: () => void } {
    const lines = new Set<string>();
    const hear = (line: string): void => void lines.add(line);
    this.listeners.add(hear);
    return { lines, stop: () => this.listeners.delete(hear) };
  }
}

function lineOn({
  method,
  params,
}: {
  readonly method: string;
  readonly params?: unknown;
}): string {
  const { message, url } = recordOf(params) ?? {};
  const said =
    typeof message === "string" ? `: ${visibleLine(message, mostWords).replace(/\.$/, "")}` : "";
  const isAddress =
    method === "elicitation/create" && typeof url === "string" && /^https?:/i.test(url);
  const open = isAddress ? ` A person can open ${visibleLine(url, mostAddress)}.` : "";
  const what: Readonly<Record<string, string>> = {
    "elicitation/create": `to ask a person something${said}`,
    "sampling/createMessage": "to use the model",
    "roots/list": "for the folders that are open",
  };
  const asked = what[method] ?? `for ${visibleLine(method, 100)}`;
  return `(The server asked ${asked}. It was refused, because that is not offered to servers.${open})`;
}
