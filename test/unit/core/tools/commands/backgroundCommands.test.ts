import assert from "node:assert/strict";
import { newConversation } from "../../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../../src/core/conversation/state/reduce.js";
import { settle } from "../../../../../src/core/conversation/state/settle.js";
import type { ShellRequest, ShellResult } from "../../../../../src/core/ports/shell.js";
import { commandOutput } from "../../../../../src/core/tools/commands/commandOutput.js";
import { executeCommand } from "../../../../../src/core/tools/commands/executeCommand.js";
import { ToolWorld } from "../toolWorld.js";

/** A command that prints and ends when it is told to. */
class Server {
  request: ShellRequest | undefined;
  private resolve: ((result: ShellResult) => void) | undefined;

  readonly script = (request: ShellRequest, signal: AbortSignal): Promise<ShellResult> =>
    new Promise((resolve) => {
      this.request = request;
      this.resolve = resolve;
      signal.addEventListener("abort", () => {
        this.end({ exitCode: null, signal: "SIGTERM", endedBy: "stop" });
      });
    });

  print(text: string): void {
    this.request?.onOutput(text);
  }

  end(parts: Partial<ShellResult>): void {
    const usual = { exitCode: 0, signal: null, endedBy: "itself", output: "all of it" } as const;
    this.resolve?.({ ...usual, omitted: 0, durationMs: 1000, ...parts });
  }
}

describe("a command that runs on", () => {
  let server: Server;
  let world: ToolWorld;
  beforeEach(() => {
    server = new Server();
    world = new ToolWorld({}, { serve: server.script, "serve 2": new Server().script });
  });
  const start = async (printed = "Listening\n") => {
    const started = world.use(executeCommand, { command: "serve", background: true });
    await world.clock.untilSleeping();
    server.print(printed);
    world.clock.advance(3000);
    return started;
  };
  const look = (args: object) => world.use(commandOutput, { id: "c1", ...args });

  it("is answered for after a moment, and says what is new each time", async () => {
    assert.deepEqual(await start(), {
      ok: true,
      worked: true,
      content: "c1 runs on.\nNew output:\nListening",
    });
    assert.equal(server.request?.timeoutMs, Infinity);
    assert.equal((await look({})).content, "c1 runs on.\nIt printed nothing new.");
    server.print("GET /\n");
    server.print("GET /a\n");
    assert.equal((await look({})).content, "c1 runs on.\nNew output:\nGET /\nGET /a");
    const waited = look({ wait_seconds: 60 });
    await world.clock.untilSleeping();
    server.print("GET /b\n");
    assert.equal((await waited).content, "c1 runs on.\nNew output:\nGET /b");
    assert.equal(world.live, "Listening\nGET /\nGET /a\nGET /b\n");
  });

  it("is answered for at once when it ends at once", async () => {
    const started = world.use(executeCommand, { command: "serve", background: true });
    await world.clock.untilSleeping();
    server.print("Port is taken\n");
    server.end({ exitCode: 1 });
    const { ok, content } = await started;
    assert.equal(ok, false);
    assert.equal(content, "c1: Exit code 1 after 1.0 s.\nNew output:\nPort is taken");
    assert.deepEqual(
      world.events.map((event) => event.type),
      ["commandRunsOn", "commandEnded"],
    );
  });

  it("is stopped by its expert, who is told how it ended", async () => {
    await start();
    const { ok, content } = await look({ stop: true });
    assert.equal(ok, false);
    assert.match(content, /^c1: Stopped after 1\.0 s/);
    assert.match((await look({ wait_seconds: 60 })).content, /^c1: Stopped/);
    assert.deepEqual(world.commands.runningOn, []);
  });

  it("is stopped by the person at its card, as one that is waited for is", async () => {
    await start();
    world.stops.get("call/1")?.();
    assert.match((await look({ wait_seconds: 60 })).content, /^c1: Stopped/);
    assert.equal(world.stops.size, 0);
    const waitedFor = world.use(executeCommand, { command: "serve" });
    while (!world.stops.has("call/1")) await Promise.resolve();
    world.stops.get("call/1")?.();
    assert.match((await waitedFor).content, /^Stopped after .* s, before it had ended/);
    assert.equal(world.stopper.signal.aborted, false);
  });

  it("ends with its task, all of them", async () => {
    await start();
    const second = world.use(executeCommand, { command: "serve 2", background: true });
    await world.clock.untilSleeping();
    world.clock.advance(3000);
    await second;
    assert.equal(world.commands.runningOn.length, 2);
    await world.commands.endAll();
    assert.deepEqual(world.commands.runningOn, []);
    assert.match(await world.refusal(commandOutput, { id: "c9" }), /No command runs on here as c9/);
  });

  it("keeps a bounded part of what nobody asked for", async () => {
    await start("");
    for (let i = 0; i < 100; i++) server.print("x".repeat(1000));
    const { content } = await look({});
    assert.ok(content.length < 25_000);
    assert.match(content, /\(76000 characters are left out; all of it is in .*call_1\.log\.\)/);
  });

  it("says what runs when another id is asked for, and why a start failed", async () => {
    await start();
    const refused = await world.refusal(commandOutput, { id: "c2" });
    assert.match(refused, /There is no command c2\. Name one of these, which run: c1\./);
    const broken = new ToolWorld({}, { serve: () => Promise.reject(new Error("no shell")) });
    const { ok, content } = await broken.use(executeCommand, {
      command: "serve",
      background: true,
    });
    assert.deepEqual([ok, content.includes("no shell")], [false, true]);
  });

  it("shows on its card until it ends", () => {
    const state = newConversation();
    const at = "2026-01-01T00:00:00.000Z";
    const tell = (event: object) =>
      applyEvent(state, { at, type: "agent", taskId: "T", event } as never);
    const card = () => {
      const item = state.items[0];
      assert.ok(item?.kind === "tool");
      return [item.state, item.runsOn ?? false, item.output] as const;
    };
    tell({ type: "toolStarted", callId: "c", tool: "execute_command", title: "serve" });
    tell({ type: "commandRunsOn", callId: "c" });
    tell({ type: "toolEnded", callId: "c", ok: true, output: "c1 runs on.\n", durationMs: 3000 });
    tell({ type: "toolOutput", callId: "c", text: "GET /\n" });
    assert.deepEqual(card(), ["ok", true, "c1 runs on.\nGET /\n"]);
    tell({ type: "commandEnded", callId: "c", ok: false, output: "Stopped.", durationMs: 9000 });
    assert.deepEqual(card(), ["failed", false, "Stopped."]);
    tell({ type: "toolOutput", callId: "c", text: "late" });
    assert.deepEqual(card(), ["failed", false, "Stopped."]);

    tell({ type: "toolStarted", callId: "d", tool: "execute_command", title: "serve" });
    tell({ type: "commandRunsOn", callId: "d" });
    tell({ type: "toolEnded", callId: "d", ok: true, output: "", durationMs: 3000 });
    assert.ok(state.live.has("d"));
    settle(state);
    assert.equal(state.live.size, 0);
  });
});
