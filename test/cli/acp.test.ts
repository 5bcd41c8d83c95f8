import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as acp from "@agentclientprotocol/sdk";
import { asks, calls, completes } from "../fakes/navigatorWorld.js";
import { AcpClient } from "./acpClient.js";
import { mends, sample } from "./mends.js";
import { isTriage, notes, plans, plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };
const { agent: methods } = acp.methods;
const mcpServer = fileURLToPath(new URL("../contract/mcpTestServer.js", import.meta.url));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("rooroo acp", () => {
  afterEach(closeStages);

  it("says what it can do, and ends when the client closes its input", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge" }, {}));
    const process = stage.startOpen("acp");
    const request = { protocolVersion: 99, clientCapabilities: {} };
    const line = { jsonrpc: "2.0", id: 0, method: "initialize", params: request };
    process.input.end(`${JSON.stringify(line)}\n`);
    let printed = "";
    for await (const piece of process.output) printed += String(piece);
    const { result } = JSON.parse(printed) as { result: acp.InitializeResponse };
    assert.equal(result.protocolVersion, 1);
    assert.equal(result.agentInfo?.name, "rooroo");
    assert.equal(result.agentCapabilities?.loadSession, true);
    const { code, stderr } = await process.ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
  });

  it("does a direct task, with its changes and commands as calls, and asks before each", async () => {
    const stage = await Stage.open(mends, sample);
    const client = await AcpClient.start(stage);
    client.decide = () => "once";
    const id = await client.session();
    await client.until(() => client.all("available_commands_update").length === 1);
    const [commands] = client.all("available_commands_update");
    const names = commands?.availableCommands.map(({ name }) => name) ?? [];
    assert.ok(names.includes("plan") && names.includes("proceed") && !names.includes("run"));

    assert.equal(await client.prompt(id, "Make the test pass"), "end_turn");
    assert.match(await stage.read("src/add.js"), /a \+ b/);
    assert.match(client.said(), /I run the tests\.\n\n[^]*The sum is right now\./);

    const path = stage.path("src/add.js");
    const asked = client.permissions.map(({ toolCall, options }) => [
      toolCall.kind,
      options.map(({ optionId, kind }) => `${optionId}: ${kind}`).join(", "),
    ]);
    const permanent = "task-0: allow_always, always-0: allow_always";
    assert.deepEqual(asked[1], ["edit", `once: allow_once, ${permanent}, deny: reject_once`]);
    assert.equal(asked[0]?.[0], "execute");
    const diff = client.permissions[1]?.toolCall.content?.[0];
    assert.deepEqual(diff, {
      type: "diff",
      path,
      oldText: "export function add(a, b) {\n  return a - b;\n}\n",
      newText: "export function add(a, b) {\n  return a + b;\n}\n",
    });
    assert.deepEqual(client.permissions[1]?.toolCall.locations, [{ path, line: 1 }]);

    const started = client.all("tool_call");
    assert.deepEqual(
      started.map(({ kind, title }) => [kind, title]),
      [
        ["execute", "Run node --test"],
        ["edit", "Edit src/add.js"],
        ["execute", "Run node --test"],
      ],
    );
    const statuses = (callId: string | undefined) =>
      client
        .all("tool_call_update")
        .filter(({ toolCallId }) => toolCallId === callId)
        .map(({ status }) => status);
    assert.equal(statuses(started[0]?.toolCallId).at(-1), "failed");
    assert.deepEqual(statuses(started[1]?.toolCallId), ["pending", "in_progress", "completed"]);
    assert.equal(statuses(started[2]?.toolCallId).at(-1), "completed");
    assert.equal((await client.leave()).code, 0);
  });

  it("tells the expert that the user has denied a change, and changes nothing", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("write_to_file", { path: "a.txt", content: "a" })
            : completes({ message: results[0]?.content ?? "" }),
      }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session();
    assert.equal(await client.prompt(id, "Write"), "end_turn");
    assert.match(client.said(), /The user did not allow this\./);
    assert.equal(await stage.read("a.txt"), "");
  });

  it("asks no more after a permission for the task, and again in the next", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results, taskId }) =>
          results.length < 2
            ? calls("write_to_file", {
                path: `${taskId.slice(-6)}-${results.length}.txt`,
                content: "a",
              })
            : completes(),
      }),
    );
    const client = await AcpClient.start(stage);
    client.decide = () => "task-0";
    const id = await client.session();
    await client.prompt(id, "Write");
    assert.equal(client.permissions.length, 1);
    client.decide = () => "deny";
    await client.prompt(id, "Write again");
    assert.equal(client.permissions.length, 3);
  });

  it("leaves a task waiting that nobody decides about, and asks again on /resume", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("write_to_file", { path: "a.txt", content: "a" })
            : completes(),
      }),
    );
    const client = await AcpClient.start(stage);
    client.decide = () => "something else";
    const id = await client.session();
    await client.prompt(id, "Write");
    const [, resume = ""] = /`(\/resume \S+)` asks you again/.exec(client.said()) ?? [];
    assert.notEqual(resume, "", client.said());
    assert.equal(await stage.read("a.txt"), "");
    client.decide = () => "once";
    assert.equal(await client.prompt(id, resume), "end_turn");
    assert.equal(await stage.read("a.txt"), "a");
  });

  it("plans, shows the tasks as they go on, and works off the queue", async () => {
    const goals = ["One", "Two"];
    const stage = await Stage.open(
      plays(
        { route: "plan", goal: "Build it" },
        { "rooroo-planner": plans(...goals), "rooroo-developer": notes },
      ),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session();
    assert.equal(await client.prompt(id, "Build it"), "end_turn");
    const shown = client
      .all("plan")
      .map(({ entries }) => entries.map(({ content, status }) => `${content}: ${status}`));
    assert.deepEqual(shown.at(-1), ["One (Developer): completed", "Two (Developer): completed"]);
    assert.ok(
      shown.some(
        (entries) => entries.join() === "One (Developer): in_progress,Two (Developer): pending",
      ),
      JSON.stringify(shown),
    );
    assert.match(client.said(), /All tasks in the queue are done\./);
  });

  it("has a chosen mode's expert do what is said; a plan waits for /proceed", async () => {
    const stage = await Stage.open(
      plays({}, { "rooroo-planner": plans("One"), "rooroo-developer": notes }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session();
    await client.agent.request(methods.session.setMode, { sessionId: id, modeId: "plan" });
    await client.until(() => client.all("current_mode_update")[0]?.currentModeId === "plan");
    await client.prompt(id, "Build it");
    assert.match(client.said(), /→ `proceed`/);
    assert.equal((await stage.tasks("queued")).length, 1);
    await client.prompt(id, "/proceed");
    assert.equal((await stage.tasks("done")).length, 2);
    assert.equal(stage.model.requests.filter(isTriage).length, 0);
    const unknown = client.agent.request(methods.session.setMode, { sessionId: id, modeId: "x" });
    await assert.rejects(unknown, /There is no such mode/);
  });

  it("keeps a mode with its session: in Ask, a request to another process changes nothing either", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("write_to_file", { path: "a.txt", content: "a" })
            : completes(),
        "rooroo-analyzer": () => completes({ message: "Only looked." }),
      }),
    );
    const first = await AcpClient.startProcess(stage);
    const id = await first.session();
    await first.agent.request(methods.session.setMode, { sessionId: id, modeId: "ask" });
    // Killed at once, and before anything was said.
    first.process.kill("SIGKILL");
    await first.process.ended;

    for (const method of [methods.session.load, methods.session.resume]) {
      const client = await AcpClient.start(stage);
      client.decide = () => "once";
      const params = { sessionId: id, cwd: stage.root, mcpServers: [] };
      const given = await client.agent.request<acp.LoadSessionResponse>(method, params);
      assert.equal(given.modes?.currentModeId, "ask");
      await client.prompt(id, "Write a.txt");
      assert.match(client.said(), /Only looked\./);
      assert.equal(await stage.read("a.txt"), "");
      await client.leave();
    }

    // Somebody has chosen, and nobody knows what.
    const path = `.rooroo/conversations/${id}.session.json`;
    const text = (await stage.read(path)).replace('"ask"', '"do"');
    await writeFile(stage.path(path), text);
    const client = await AcpClient.start(stage);
    const params = { sessionId: id, cwd: stage.root, mcpServers: [] };
    const given = await client.agent.request<acp.LoadSessionResponse>(methods.session.load, params);
    assert.equal(given.modes?.currentModeId, "ask");
    const other = { ...params, sessionId: "20260102-030405-abcdef" };
    await assert.rejects(client.agent.request(methods.session.load, other), /not found/);
  });

  it("offers mode, model and approvals as options of the session, and keeps what is chosen", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("write_to_file", { path: "a.txt", content: "a" })
            : completes(),
      }),
    );
    const chosen = (options: acp.SessionConfigOption[] | null | undefined) =>
      Object.fromEntries((options ?? []).map((one) => [one.id, one.currentValue]));
    const first = await AcpClient.startProcess(stage, "--approve", "safe");
    const params = { cwd: stage.root, mcpServers: [] };
    const begun = await first.agent.request<acp.NewSessionResponse>(methods.session.new, params);
    const { sessionId } = begun;
    assert.deepEqual(chosen(begun.configOptions), {
      mode: "auto",
      model: "(none)",
      approvals: "safe",
    });
    const set = (client: AcpClient, configId: string, value: string) =>
      client.agent.request<acp.SetSessionConfigOptionResponse>(methods.session.setConfigOption, {
        sessionId,
        configId,
        value,
      });
    await set(first, "mode", "do");
    await first.until(() => first.all("current_mode_update")[0]?.currentModeId === "do");
    const { configOptions } = await set(first, "approvals", "all");
    assert.deepEqual(chosen(configOptions), { mode: "do", model: "(none)", approvals: "all" });
    for (const [id, value] of [
      ["mode", "x"],
      ["model", "x"],
      ["approvals", "deny"],
      ["x", "all"],
    ] as const) {
      await assert.rejects(set(first, id, value), /There is no such option/);
    }
    await first.leave();

    const client = await AcpClient.start(stage, ["--approve", "safe"]);
    const resumed = await client.agent.request<acp.ResumeSessionResponse>(methods.session.resume, {
      ...params,
      sessionId,
    });
    assert.deepEqual(chosen(resumed.configOptions), chosen(configOptions));
    await client.prompt(sessionId, "Write a.txt");
    assert.equal(client.permissions.length, 0);
    assert.equal(await stage.read("a.txt"), "a");
    assert.equal(stage.model.requests.filter(isTriage).length, 0);
  });

  it("takes the next prompt for the answer to an expert's question, a number for a suggestion", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? asks("Which format?", ["CSV", "JSON"])
            : completes({ message: `Wrote ${results[0]?.content ?? ""}.` }),
      }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session();
    assert.equal(await client.prompt(id, "Write it"), "end_turn");
    assert.match(client.said(), /\*\*Developer asks:\*\* Which format\?\n\n1\. CSV\n2\. JSON\n\n/);
    assert.equal(await client.prompt(id, "2"), "end_turn");
    assert.match(client.said(), /Wrote JSON\./);
    assert.equal(stage.model.requests.filter(isTriage).length, 1);
    await client.prompt(id, "And now?");
    assert.equal(stage.model.requests.filter(isTriage).length, 2);
  });

  it("gives files, selections and images of a prompt to the expert, and no file from outside", async () => {
    const stage = await Stage.open(plays(direct, { "rooroo-developer": () => completes() }), {
      "src/a.txt": "one\ntwo\nthree\n",
      ".env": "KEY=very-secret\n",
    });
    const client = await AcpClient.start(stage);
    const id = await client.session();
    const link = (path: string, lines = ""): acp.ContentBlock => {
      const uri = `${pathToFileURL(stage.path(path)).href}${lines}`;
      return { type: "resource_link", name: path, uri };
    };
    await client.prompt(
      id,
      "Look at ",
      link("src/a.txt", "#L2:3"),
      link(".env"),
      { type: "resource_link", name: "hosts", uri: "file:///etc/hosts" },
      {
        type: "resource",
        resource: { uri: pathToFileURL(stage.path("src/a.txt")).href, text: "not saved\n" },
      },
      { type: "resource", resource: { uri: "zed:///thread/1", text: "Earlier <words>" } },
    );
    const request = JSON.stringify(stage.model.requests.at(-1)?.messages);
    assert.match(request, /two/);
    assert.match(request, /not saved/);
    assert.match(request, /Earlier/);
    assert.doesNotMatch(request, /very-secret|localhost/);
    const image = client.prompt(id, "See", { type: "image", mimeType: "image/png", data: "AAAA" });
    await assert.rejects(image, /is not a PNG/);
  });

  it("stops at a cancel; the task can be resumed", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": (request) =>
          settled(request) === 0
            ? calls("write_to_file", { path: "a.txt", content: "a" })
            : completes({ message: "Over." }),
      }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session();
    client.decide = async ({ sessionId }) => {
      await client.cancel(sessionId);
      return undefined;
    };
    assert.equal(await client.prompt(id, "Do it"), "cancelled");
    assert.equal(client.all("tool_call_update").at(-1)?.status, "failed");
    const [task] = await stage.tasks("interrupted");
    client.decide = () => "once";
    assert.equal(await client.prompt(id, `/resume ${task?.taskId ?? ""}`), "end_turn");
    assert.match(client.said(), /Over\./);
    assert.equal(await stage.read("a.txt"), "a");
  });

  it("stops at a permission that was cancelled, too, which may be told before the cancel itself", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": () => calls("write_to_file", { path: "a.txt", content: "a" }),
      }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session();
    client.decide = () => undefined;
    assert.equal(await client.prompt(id, "Do it"), "cancelled");
    assert.equal((await stage.tasks("interrupted")).length, 1);
  });

  it("stops its work when the client has gone", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("execute_command", { command: "echo begun; sleep 300" })
            : completes({ message: "Over." }),
      }),
    );
    const client = await AcpClient.start(stage, ["--approve", "all"]);
    const id = await client.session();
    void client.prompt(id, "Do it").catch(() => undefined);
    await client.until(() => JSON.stringify(client.updates).includes("begun\\n"));
    const { code, stderr } = await client.leave();
    assert.equal(code, 0, stderr);
    assert.equal((await stage.tasks("interrupted")).length, 1);
    assert.deepEqual(await stage.list(".rooroo/locks"), [".gitignore"]);
  });

  it("tells an earlier conversation again, and goes on with what a killed process has left", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": (request) =>
          settled(request) === 0
            ? calls("write_to_file", { path: "a.txt", content: "a" })
            : completes({ message: "Over." }),
      }),
    );
    const killed = await AcpClient.startProcess(stage);
    const id = await killed.session();
    killed.decide = () => {
      killed.process.kill("SIGKILL");
      return new Promise(() => undefined);
    };
    await assert.rejects(killed.prompt(id, "Do it, please"));

    const client = await AcpClient.start(stage);
    client.decide = () => "once";
    const params = { cwd: stage.root };
    const { sessions } = await client.agent.request<acp.ListSessionsResponse>(
      methods.session.list,
      params,
    );
    assert.deepEqual(
      sessions.map(({ sessionId, title }) => [sessionId, title]),
      [[id, "Do it, please"]],
    );
    await client.load(id);
    assert.equal(client.said("user_message_chunk"), "Do it, please");
    assert.equal(client.all("tool_call").length, 1);
    assert.equal(client.all("tool_call_update").at(-1)?.status, "failed");
    await client.until(() => /\/resume ROO#\S+/.test(client.said()));
    const [resume = ""] = /\/resume ROO#\w+/.exec(client.said()) ?? [];
    assert.equal(await client.prompt(id, resume), "end_turn");
    assert.match(client.said(), /Over\./, JSON.stringify(client.updates.slice(-8)));
    assert.equal(await stage.read("a.txt"), "a");
    await assert.rejects(client.load("20200101-000000-abcdef"), /not found/i);
    await assert.rejects(client.load("../../x"), /not found/i);
  });

  it("has the MCP servers that the client offers, each call asked about, and ends them with the session", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("my-one_echo", { text: "hello" })
            : completes({ message: results[0]?.content ?? "" }),
      }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session([
      { name: "my one", command: process.execPath, args: [mcpServer, "plain"], env: [] },
      { name: "broken", command: process.execPath, args: [mcpServer, "broken"], env: [] },
    ]);
    await client.prompt(id, "Say hello");
    assert.equal(client.permissions[0]?.toolCall.title, "Use my-one_echo");
    assert.match(client.said(), /The user did not allow this\./);
    assert.match(client.said(), /The MCP server broken cannot be used/);
    client.decide = () => "once";
    await client.prompt(id, "Say hello again");
    const [, pid = ""] = /You said hello to (\d+)\./.exec(client.said()) ?? [];
    assert.notEqual(pid, "", client.said());
    await client.agent.request(methods.session.close, { sessionId: id });
    while (isRunning(Number(pid))) await pause(20);
  });

  it("has the prompts of MCP servers as commands, once the servers have started", async () => {
    let told = "";
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ messages }) => {
          told = JSON.stringify(messages);
          return completes();
        },
      }),
    );
    const client = await AcpClient.start(stage);
    const id = await client.session([
      { name: "one", command: process.execPath, args: [mcpServer, "content"], env: [] },
    ]);
    const greet = () =>
      client
        .all("available_commands_update")
        .flatMap(({ availableCommands }) => availableCommands)
        .find(({ name }) => name === "one:greet");
    await client.until(() => greet() !== undefined);
    assert.deepEqual(greet(), {
      name: "one:greet",
      description: "Greets.",
      input: { hint: "who" },
    });
    await client.prompt(id, "/one:greet Ann");
    assert.match(told, /Greet Ann\./);
    await client.prompt(id, "Look at @one:note://a");
    assert.match(told, /The note\./);
  });

  it("refuses what is not of the protocol, and goes on", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge", reply: "Hello!" }, {}));
    const client = await AcpClient.start(stage);
    const request = (method: string, params: unknown) => client.agent.request(method, params);
    await assert.rejects(request(methods.session.new, { cwd: "src", mcpServers: [] }), /absolute/);
    const nowhere = { cwd: `${stage.root}/nowhere`, mcpServers: [] };
    const missing = { code: -32_602, message: /There is no folder/ };
    await assert.rejects(request(methods.session.new, nowhere), missing);
    await assert.rejects(request(methods.session.new, { cwd: 5 }), /Invalid params/);
    await assert.rejects(request(methods.session.prompt, { sessionId: "x" }), /Invalid params/);
    const unknown = { sessionId: "x", prompt: [{ type: "text", text: "Hello" }] };
    await assert.rejects(request(methods.session.prompt, unknown), /not found/i);
    await assert.rejects(request("session/explode", {}), /not found/i);
    client.process.input.write('{"half": \n[]\n"text"\n{"jsonrpc":"2.0","id":7}\n');

    const id = await client.session();
    assert.equal(await client.prompt(id, "Hello"), "end_turn");
    assert.match(client.said(), /Hello!/);
    const { code } = await client.leave();
    assert.equal(code, 0);
  });

  it("needs a model", async () => {
    const stage = await Stage.open(plays({}, {}));
    const ended = await stage.run("acp", "--base-url", "nowhere");
    assert.equal(ended.code, 64);
    assert.equal(ended.stdout, "");
  });
});
