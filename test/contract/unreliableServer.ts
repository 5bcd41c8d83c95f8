import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does instead of answering as it should. */
export const faults = [
  "failing",
  "limited",
  "cutInText",
  "cutInCall",
  "errorInStream",
  "noEnd",
  "json",
  "noReason",
  "callAsTags",
  "callAsJson",
  "looseArguments",
  "otherName",
  "halfArguments",
  "nothing",
  "unknownTool",
] as const;
export type Fault = (typeof faults)[number];

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly role: string;
  readonly content: string | null;
}

/** A model server on 127.0.0.1 that has every task take three calls, and is in trouble now and then. */
export class UnreliableServer {
  requests = 0;
  readonly told = new Map<Fault, number>();
  url = "";
  #seed = 1;
  /** Faults one after another of one task: more are not the same trouble. */
  readonly #row = new Map<string, number>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly share: number,
    private readonly calls: (task: string) => readonly Call[],
  ) {}

  /**
   * @param share of the requests that meet a fault, 0 to 1
   * @param calls what a task's model calls, in order; the task is the word after "task" in its command
   */
  static async start(
    share: number,
    calls: (task: string) => readonly Call[],
  ): Promise<UnreliableServer> {
    const server = createServer();
    const made = new UnreliableServer(server, share, calls);
    server.on("request", (request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        made.answer(response, (JSON.parse(text) as { messages: Message[] }).messages);
      });
    });
    await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
    made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return made;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private answer(response: ServerResponse, messages: readonly Message[]): void {
    this.requests++;
    const [, task = ""] = /\btask (\w+)/.exec(messages[1]?.content ?? "") ?? [];
    const done = messages.filter(
      ({ role, content }) => role === "tool" && !/^(The arguments|There is no)/.test(content ?? ""),
    ).length;
    const call = this.calls(task)[done];
    if (call === undefined) throw new Error(`task ${task} has no step ${done}`);
    const row = this.#row.get(task) ?? 0;
    const fault = row < 2 && this.random() < this.share ? this.anyFault() : undefined;
    this.#row.set(task, fault === undefined ? 0 : row + 1);
    if (fault !== undefined) this.told.set(fault, (this.told.get(fault) ?? 0) + 1);
    send(response, call, fault, `call_${task}_${this.requests}_abcdef`);
  }

  private anyFault(): Fault {
    return faults[Math.floor(this.random() * faults.length)] ?? "failing";
  }

  /** Returns the next number, the same in each run. Park and Miller's generator. */
  private random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}

function send(response: ServerResponse, call: Call, fault: Fault | undefined, id: string): void {
  const args = JSON.stringify(call.args);
  const delta = (content: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: content, finish_reason }] })}\n\n`;
  const native = (name: string, text: string): string =>
    delta({ tool_calls: [{ index: 0, id, function: { name, arguments: text.slice(0, 5) } }] }) +
    delta({ tool_calls: [{ index: 0, function: { arguments: text.slice(5) } }] });
  const words = delta({ content: "I go " }) + delta({ content: "on." });
  const end = `${delta({}, "tool_calls")}data: [DONE]\n\n`;
  const stream = (body: string): void => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
  };
  const cut = (body: string): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(body, () => response.destroy());
  };
  const said = (content: string): void => {
    stream(`${delta({ content })}${delta({}, "stop")}data: [DONE]\n\n`);
  };
  switch (fault) {
    case undefined:
      stream(words + native(call.name, args) + end);
      return;
    case "failing":
      response.writeHead(503).end("overloaded");
      return;
    case "limited":
      response.writeHead(429, { "retry-after": "30" }).end("{}");
      return;
    case "cutInText":
      cut(words);
      return;
    case "cutInCall":
      cut(words + native(call.name, args.slice(0, -3)));
      return;
    case "errorInStream":
      stream(`${words}data: {"error":{"message":"gone","code":502}}\n\n`);
      return;
    case "noEnd":
      stream(words + native(call.name, args));
      return;
    case "json": {
      const tool_calls = [{ id, type: "function", function: { name: call.name, arguments: args } }];
      const message = { role: "assistant", content: null, tool_calls };
      const body = JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
      return;
    }
    case "noReason":
      stream(`${words}${native(call.name, args)}data: [DONE]\n\n`);
      return;
    case "callAsTags": {
      const fields = Object.entries(call.args).map(
        ([key, value]) => `<${key}>${String(value)}</${key}>`,
      );
      said(`<${call.name}>\n${fields.join("\n")}\n</${call.name}>`);
      return;
    }
    case "callAsJson":
      said(
        `<tool_call>\n${JSON.stringify({ name: call.name, arguments: call.args })}\n</tool_call>`,
      );
      return;
    case "looseArguments":
      stream(native(call.name, `{}${args.slice(0, -1)},}`) + end);
      return;
    case "otherName":
      stream(native(`functions.${call.name}`, args) + end);
      return;
    case "halfArguments":
      stream(native(call.name, args.slice(0, -4)) + end);
      return;
    case "nothing":
      said("");
      return;
    case "unknownTool":
      stream(native("make_coffee", "{}") + end);
      return;
  }
}
