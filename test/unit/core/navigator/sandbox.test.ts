import assert from "node:assert/strict";
import type { AgentEvent } from "../../../../src/core/agent/events.js";
import type { ShellRequest, ShellResult } from "../../../../src/core/ports/shell.js";
import { spoken } from "../../../../src/core/text/words.js";
import { commands, reports } from "../../../fakes/envelopes.js";
import { type Made, MemoryLayer } from "../../../fakes/memoryLayer.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const run = (command: string, more: object = {}) => calls("execute_command", { command, ...more });
const name = "bubblewrap 0.8.0";

interface Command {
  readonly made?: Readonly<Record<string, Made>>;
  readonly result?: Partial<ShellResult>;
}

/** A stage on a machine with a sandbox, whose commands make these changes in it. */
class SandboxStage {
  readonly stage: NavigatorStage;
  readonly layers: MemoryLayer[] = [];

  constructor(
    scripts: readonly ModelScript[],
    known: Readonly<Record<string, Command>>,
    options: ConstructorParameters<typeof NavigatorStage>[1] = {},
  ) {
    const entries = Object.entries(known).map(([line, { made = {}, result = {} }]) => {
      const script = (request: ShellRequest): Promise<ShellResult> => {
        const ended = {
          exitCode: 0,
          signal: null,
          endedBy: "itself" as const,
          output: "",
          omitted: 0,
          durationMs: 5,
          ...result,
        };
        const streams =
          request.separateStreams === true ? { stdout: "", stderr: ended.output } : undefined;
        const whole = streams === undefined ? ended : { ...ended, streams };
        if (request.sandbox === undefined) return Promise.resolve(whole);
        const layer = new MemoryLayer(this.stage.files, made);
        this.layers.push(layer);
        return Promise.resolve({ ...whole, layer });
      };
      return [line, script] as const;
    });
    this.stage = new NavigatorStage([...scripts], {
      files: { "a.js": "old\n", ".env": "KEY=1\n" },
      ...options,
      commands: Object.fromEntries(entries),
    });
    this.stage.shell.ability = { available: true, name };
    this.stage.preset = "sandbox";
  }

  get results(): string[] {
    const { messages } = this.stage.model.requests.at(-1)!;
    return messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  }

  events<T extends AgentEvent["type"]>(type: T): Extract<AgentEvent, { type: T }>[] {
    return this.stage.events.flatMap((event) =>
      event.type === "agent" && event.event.type === type
        ? [event.event as Extract<AgentEvent, { type: T }>]
        : [],
    );
  }
}

describe("commands in envelopes on a machine with a sandbox", () => {
  const line = (command: string) => commands({ shell: "bash", run: command, cwd: "." });
  async function profileOf(
    command: string,
    words: string,
    dialect: "envelope" | "native" = "envelope",
  ) {
    const call = dialect === "envelope" ? line(command) : run(command);
    const end =
      dialect === "envelope" ? reports({ status: "Done", message: "All good" }) : completes();
    const { stage } = new SandboxStage([call, end], { [command]: {} }, { dialect });
    stage.preset = "all";
    await stage.navigator.say(words);
    const profile = stage.shell.requests[0]?.sandbox;
    assert.ok(profile, command);
    return profile;
  }

  it("[R-ENV-7] find hidden folders empty where they only read, unless the user has named them", async () => {
    for (const command of ["grep -r x .", "find .", "ls -aR", "cat .hid/x"]) {
      const { masks } = await profileOf(command, "/do look at .github");
      assert.equal(masks(".hid", true), true, command);
      assert.equal(masks("src/.hid", true), true, command);
      assert.equal(masks(".hid/x"), true, command);
      assert.equal(masks(".git", true), true, command);
      assert.equal(masks(".gitignore", false), false, "a file, not a folder");
      assert.equal(masks(".rooroo", true), false, "where tasks live");
      assert.equal(masks(".github", true), false, "the user has named it");
      assert.equal(masks("src", true), false);
      assert.equal(masks(".env"), true, "as before");
    }
  });

  it("[R-ENV-7] keep what git and programs that do more need, and so do calls of tools", async () => {
    const git = await profileOf("git status", "/do look");
    assert.deepEqual([git.masks(".git", true), git.masks(".hid", true)], [false, true]);
    const build = await profileOf("make", "/do build");
    assert.equal(build.masks(".venv", true), false);
    const native = await profileOf("ls -aR", "/do look", "native");
    assert.equal(native.masks(".hid", true), false);
  });
});

describe("commands on a machine with a sandbox", () => {
  it("run in it unasked, and keep what they change of the project", async () => {
    const { stage, layers, ...rest } = new SandboxStage([run("make"), completes()], {
      make: { made: { "a.js": "new\n", ".vscode/tasks.json": "{}" } },
    });
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.deepEqual(stage.approvals, []);
    assert.equal(stage.files.text("a.js"), "new\n");
    assert.equal(stage.files.text(".vscode/tasks.json"), undefined);
    const profile = stage.shell.requests[0]?.sandbox;
    assert.deepEqual(
      [profile?.network, profile?.masks(".env"), profile?.protects(".vscode")],
      ["none", true, true],
    );
    assert.equal(layers[0]?.isDiscarded, true);
    assert.deepEqual(rest, {});
  });

  it("say on their card that they ran in it, and what was not kept", async () => {
    const own = new SandboxStage([run("make"), completes()], {
      make: { made: { ".vscode/tasks.json": "{}" } },
    });
    await own.stage.navigator.say("/do it");
    assert.deepEqual(
      own.events("callAllowed").map(({ why, sandboxed }) => [why, sandboxed]),
      [["Commands run in the sandbox, without network.", true]],
    );
    const notes = [
      "It ran in the sandbox. Of what it changed, this was not kept:",
      "- .vscode/tasks.json: Editors and their extensions run what these files say.",
    ];
    assert.deepEqual(own.events("toolEnded")[0]?.notes, notes);
    assert.equal(
      own.results[0],
      `Exit code 0 after 0.0 s.\nIt printed nothing.\n${notes.join("\n")}`,
    );
  });

  it("say which wall they probably ran into, and how to ask the user", async () => {
    const own = new SandboxStage([run("npm ci"), run("touch /x"), run("cat .env"), completes()], {
      "npm ci": { result: { exitCode: 1, output: "npm error code EAI_AGAIN\n" } },
      "touch /x": { result: { exitCode: 1, output: "touch: /x: Read-only file system\n" } },
      "cat .env": { result: { exitCode: 1, output: "no KEY\n" } },
    });
    await own.stage.navigator.say("/do it");
    const [network, readOnly, masked] = own.results;
    assert.match(network ?? "", /which has no network\. .*outside: true, which asks the user\.$/);
    assert.match(readOnly ?? "", /everything outside the workspace can only be read/);
    assert.match(masked ?? "", /may hold secrets are empty: \.env\./);
  });

  it("are not said to have met a wall where no file of the name is there", async () => {
    const lines = ["grep -n '\\bx\\b' a.js", "grep -n .env.old a.js"];
    const failing = { result: { exitCode: 1, output: "" } };
    const own = new SandboxStage(
      [...lines.map((line) => run(line)), completes()],
      Object.fromEntries(lines.map((line) => [line, failing])),
    );
    await own.stage.navigator.say("/do it");
    const plain = "Exit code 1 after 0.0 s.\nIt printed nothing.";
    assert.deepEqual(own.results, [plain, plain]);
  });

  it("leave it only when the user says so, and then run like the user's own", async () => {
    const own = new SandboxStage([run("npm ci", { outside: true }), completes()], { "npm ci": {} });
    own.stage.approve = () => ({ type: "allowed", scope: "once" });
    assert.equal((await own.stage.navigator.say("/do it")).status, "done");
    const [asked] = own.stage.approvals;
    assert.equal(spoken(asked?.action.title ?? ""), "Run outside the sandbox: npm ci");
    assert.equal(own.stage.shell.requests[0]?.sandbox, undefined);
    assert.deepEqual(own.layers, []);
  });

  it("can ask to leave it only where there is one", async () => {
    const offers = (own: SandboxStage) =>
      own.stage.model.requests[0]?.tools.some((tool) => JSON.stringify(tool).includes('"outside"'));
    const own = new SandboxStage([completes()], {});
    await own.stage.navigator.say("/do it");
    assert.equal(offers(own), true);
    assert.match(own.stage.model.requests[0]?.messages[0]?.content ?? "", /run in a sandbox/);
    for (const change of ["none", "ask"] as const) {
      const other = new SandboxStage([completes()], {});
      if (change === "ask") other.stage.preset = "ask";
      else other.stage.shell.ability = { available: false, reason: "There is none." };
      await other.stage.navigator.say("/do it");
      assert.equal(offers(other), false, change);
      assert.doesNotMatch(other.stage.model.requests[0]?.messages[0]?.content ?? "", /sandbox/);
    }
  });

  it("keep only what is the task's own under safe", async () => {
    const own = new SandboxStage([run("cat a.js"), completes()], {
      "cat a.js": { made: { "a.js": "new\n" } },
    });
    own.stage.preset = "safe";
    await own.stage.navigator.say("/do it");
    assert.equal(own.stage.files.text("a.js"), "old\n");
    assert.equal(own.stage.shell.requests[0]?.sandbox?.network, "none");
    assert.match(own.results[0] ?? "", /a\.js: Of a command that runs unasked here/);
  });

  it("keep what the mode may write", async () => {
    const script = [run("make"), completes()];
    const own = new SandboxStage(script, { make: { made: { "a.js": "new\n" } } });
    await own.stage.navigator.say("/ask what is it?");
    assert.equal(own.stage.shell.requests.length, 1);
    assert.equal(own.stage.files.text("a.js"), "old\n");
    assert.match(own.results[0] ?? "", /a\.js: rooroo-analyzer may write only/);
  });

  it("are told of once where there is none, and asked about as under safe", async () => {
    const own = new SandboxStage([run("make"), completes(), run("make"), completes()], {
      make: {},
    });
    own.stage.shell.ability = { available: false, reason: "Install bubblewrap." };
    own.stage.approve = () => ({ type: "allowed", scope: "once" });
    await own.stage.navigator.say("/do it");
    await own.stage.navigator.say("/do it");
    const told = own.stage.notices.filter((text) => text.includes("Install bubblewrap."));
    assert.equal(told.length, 1);
    assert.equal(own.stage.approvals.length, 2);
  });

  it("keep what they may change when they run on in the background, too", async () => {
    const own = new SandboxStage([run("cat a.js", { background: true }), completes()], {
      "cat a.js": { made: { "b.js": "b\n", ".npmrc": "x\n" } },
    });
    await own.stage.navigator.say("/do it");
    assert.notEqual(own.stage.shell.requests[0]?.sandbox, undefined);
    assert.equal(own.stage.files.text("b.js"), "b\n");
    assert.equal(own.layers[0]?.isDiscarded, true);
    assert.match(own.events("commandEnded")[0]?.output ?? "", /- \.npmrc: Package managers/);
  });

  it("are what the person made of them when they were asked, and then run outside", async () => {
    const own = new SandboxStage([run("npm ci", { outside: true }), completes()], { ls: {} });
    own.stage.approve = () => ({ type: "edited", text: "ls" });
    await own.stage.navigator.say("/do it");
    const [request] = own.stage.shell.requests;
    assert.deepEqual([request?.command, request?.sandbox], ["ls", undefined]);
  });

  it("say in envelopes, too, what was not kept", async () => {
    const own = new SandboxStage(
      [
        commands({ shell: "bash", run: "make", cwd: "." }),
        reports({ status: "Done", message: "All good." }),
      ],
      {
        make: {
          made: { ".npmrc": "x" },
          result: { exitCode: 1, output: "getaddrinfo ENOTFOUND\n" },
        },
      },
      { dialect: "envelope" },
    );
    await own.stage.navigator.say("/do it");
    assert.notEqual(own.stage.shell.requests[0]?.sandbox, undefined);
    const told = own.stage.model.requests.at(-1)?.messages.at(-1)?.content ?? "";
    assert.match(told, /\.npmrc/);
    assert.match(told, /tell the user, who can allow the command/);
  });
});
