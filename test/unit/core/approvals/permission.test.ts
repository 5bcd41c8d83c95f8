import assert from "node:assert/strict";
import fc from "fast-check";
import { isProtected } from "../../../../src/core/access/protectedFiles.js";
import type { ProposedAction } from "../../../../src/core/agent/tool.js";
import { commandRule, ruleCovers } from "../../../../src/core/approvals/commandRule.js";
import {
  type Permission,
  permissionCovers,
  permissionSchema,
  permissionsFor,
  permissionText,
} from "../../../../src/core/approvals/permission.js";
import { spoken } from "../../../../src/core/text/words.js";
import { tries } from "../../../fakes/tries.js";
import { intents } from "./intents.js";

const { read, write, command, web, tool, spend } = intents;

function covers(given: ProposedAction, other: ProposedAction, which = 0): boolean {
  const grant = permissionsFor(given, false)[which];
  assert.ok(grant, `something is offered for ${spoken(given.title)}`);
  return permissionCovers(grant, other, false);
}

const line = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("npm test", "npm test a", "npm test ", "npm run x", "npm  test", "npm test\n"),
  fc.constantFrom("npm test;ls", "npm test $(x)", "npm test --x", "npm test ../a", "NPM test"),
  fc.constantFrom("git status", "git\u200b status", "git ⟨U+200B⟩status", "npm test\u00a0a"),
);
const path = fc.oneof(
  fc.constantFrom("", "a.js", "src/a.js", ".git/config", "sub/.GIT/x", ".rooroo/queue.jsonl"),
  fc.constantFrom("AGENTS.md", ".vscode/tasks.json", ".npmrc"),
  fc
    .array(fc.constantFrom("a", ".git", "..a", ".VSCODE", "b c", "ß"), { minLength: 1 })
    .map((steps) => steps.join("/")),
);
const address = fc.oneof(
  fc.constantFrom("https://a.com/x", "http://a.com/x", "https://a.com:1/", "https://a.com@b.com/"),
  fc.constantFrom("https://a.com\\@b.com", "https://A.com", "file:///a.com", "https://a.com.b.com"),
  fc.webUrl(),
  fc.string(),
);
const action: fc.Arbitrary<ProposedAction> = fc.oneof(
  fc.tuple(path, fc.boolean()).map(([at, inside]) => read(at, inside)),
  fc.tuple(path, fc.boolean()).map(([at, inside]) => write(at, inside)),
  fc
    .tuple(
      line,
      path,
      fc.boolean(),
      fc.constantFrom(undefined, [{ path: "a.sh", hash: "1" }], [{ path: "a.sh", hash: "2" }]),
    )
    .map(([text, at, inside, pinned]) => ({
      ...command(text, at, inside),
      ...(pinned === undefined ? {} : { pinned }),
    })),
  address.map(web),
  fc.constantFrom("search", "Search", "search ").map((name) => tool(name)),
  fc.constant(spend()),
);

describe("grants", () => {
  it("cover the like of what they were given for, and nothing else", () => {
    const same: [ProposedAction, ProposedAction][] = [
      [read("a.js"), read("b/c.js")],
      [write("a.js"), write("b/c.js")],
      [command("npm test"), command("npm test")],
      [web("https://example.com/a"), web("https://EXAMPLE.com/b?c=d")],
      [tool("search"), tool("search", `{"q":1}`)],
    ];
    for (const [given, other] of same)
      assert.equal(covers(given, other), true, spoken(other.title));
    const different: [ProposedAction, ProposedAction][] = [
      [read("a.js"), write("a.js")],
      [write("a.js"), read("a.js")],
      [write("a.js"), write(".vscode/tasks.json")],
      [write("a.js"), write("/etc/hosts", false)],
      [write("a.js"), command("npm test")],
      [command("npm test"), command("npm test; rm -rf .")],
      [command("npm test"), command("npm test", "sub")],
      [command("npm test"), command("npm test", "", false)],
      [command("git status"), command("git\u200b status")],
      [command("git\u200b status"), command("git⟨U+200B⟩ status")],
      [web("https://example.com/"), web("http://example.com/")],
      [web("https://example.com/"), web("https://example.com:8443/")],
      [web("https://example.com/"), web("https://example.com.evil.test/")],
      [web("https://example.com/"), web("https://example.com@evil.test/")],
      [web("https://example.com/"), web("https://example.com\\@evil.test/")],
      [tool("search"), tool("Search")],
    ];
    for (const [given, other] of different)
      assert.equal(covers(given, other), false, spoken(other.title));
  });

  it("are bound to the content of the scripts that a command runs", () => {
    const bound = (hash: string): ProposedAction =>
      Object.assign(command("sh a.sh"), { pinned: { "a.sh": hash } });
    assert.equal(covers(bound("1"), bound("1")), true);
    assert.equal(covers(bound("1"), bound("2")), false);
    assert.equal(covers(bound("1"), command("sh a.sh")), false);
  });

  it("are offered for nothing that is always asked about", () => {
    const writing = (path: string): ProposedAction =>
      Object.assign(command("npm test"), { facts: { commands: [], writes: [path] } });
    assert.equal(permissionsFor(writing("out/a.txt"), false).length, 2);
    for (const one of [
      writing("/etc/hosts"),
      writing(".git/hooks/pre-commit"),
      write("/etc/hosts", false),
      write(".git/config"),
      read("/etc/passwd", false),
      command("ls", "/", false),
      web("https://me:secret@example.com/"),
      web("file:///etc/passwd"),
      web("https://[::1]/"),
      spend(),
    ]) {
      assert.deepEqual(permissionsFor(one, false), [], spoken(one.title));
    }
    assert.equal(permissionsFor(write(".rooroo/tasks/ROO#TASK_1/a.md"), true).length, 1);
  });

  it("never cover what lies outside or is protected, nor what differs in a byte that matters", () => {
    fc.assert(
      fc.property(action, action, (given, other) => {
        for (const grant of permissionsFor(given, false)) {
          assert.equal(permissionCovers(grant, given, false), true);
          if (!permissionCovers(grant, other, false)) continue;
          assert.equal(other.access, given.access);
          if ("inside" in other) assert.equal(other.inside, true);
          if (other.access === "write") assert.equal(isProtected(other.path), false);
          if (other.access === "command" && given.access === "command") {
            assert.equal(other.path, given.path);
            assert.deepEqual(Reflect.get(other, "pinned"), Reflect.get(given, "pinned"));
            if (grant.kind === "commands") {
              const start = grant.words.join(" ");
              assert.match(other.command.slice(start.length), /^( [A-Za-z0-9_.][\w./:+-]*)*$/);
              assert.ok(other.command.startsWith(start));
            } else assert.equal(other.command, given.command);
          }
          if (other.access === "web" && given.access === "web") {
            const [a, b] = [new URL(other.address), new URL(given.address)];
            assert.equal(a.origin, b.origin);
          }
          if (other.access === "tool" && given.access === "tool") {
            assert.equal(other.tool, given.tool);
          }
        }
      }),
      { numRuns: tries(2_000) },
    );
  });

  it("come back from a file as they were, and not at all when something is added", () => {
    const grants: Permission[] = [
      write("a"),
      command("npm test a"),
      web("https://a.com/"),
      tool("t"),
    ]
      .flatMap((one) => permissionsFor(one, false))
      .concat({ kind: "read" });
    for (const grant of grants) {
      assert.deepEqual(permissionSchema.parse(JSON.parse(JSON.stringify(grant))), grant);
      assert.equal(permissionSchema.safeParse({ ...grant, inside: false }).success, false);
      assert.ok(spoken(permissionText(grant)).length > 5);
    }
  });
});

describe("rules for commands", () => {
  it("are offered for few commands, and for as much of them as says what they do", () => {
    assert.deepEqual(commandRule("npm test"), ["npm", "test"]);
    assert.deepEqual(commandRule("npm run test:unit a.js"), ["npm", "run", "test:unit"]);
    assert.deepEqual(commandRule("go test ./..."), ["go", "test"]);
    for (const none of [
      "npm",
      "npm run",
      "npm run --silent x",
      "npm install",
      "npm test -- --require ./x",
      "npm test --script-shell=x",
      "npm test ../outside",
      "npm test /tmp/x",
      "npm test .git/hooks",
      "npm test; ls",
      "npm test > a",
      "npm test 'a b'",
      "npm test $HOME",
      "npm test *",
      "X=1 npm test",
      "npm  test",
      "npm test ",
      "npm test\nls",
      "sh a.sh",
      "node a.js",
      "rm -rf build",
      "git status",
      "constructor test",
    ]) {
      assert.equal(commandRule(none), undefined, none);
    }
  });

  it("cover names behind the rule's words, and no options or places elsewhere", () => {
    const rule = ["npm", "test"];
    for (const yes of ["npm test", "npm test a.test.js", "npm test test/a.js b"]) {
      assert.equal(ruleCovers(rule, yes), true, yes);
    }
    for (const no of [
      "npm tests",
      "npm test --x",
      "npm test -x",
      "npm test a=b",
      "npm test a/../../b",
      "npm test ..",
      "npm test C:/x",
      "npm test ~/x",
      "npm test .vscode",
      "npm test sub/.git/x",
      "npm test a && b",
      "npm test a|b",
      "npm test `x`",
      "npm test a\\b",
    ]) {
      assert.equal(ruleCovers(rule, no), false, no);
    }
  });
});
