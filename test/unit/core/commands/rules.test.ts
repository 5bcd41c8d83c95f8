import assert from "node:assert/strict";
import { askRules, wordsOf } from "../../../../src/core/commands/commandRules.js";
import { readWord } from "../../../../src/core/commands/line/word.js";
import { spoken } from "../../../../src/core/text/words.js";
import { CommandStage } from "./commandStage.js";

function ask(words: string, rules: { allow?: string[]; deny?: string[] }) {
  const read = words.split(" ").map(readWord);
  return askRules(read, { allow: [], deny: [], ...rules })?.type;
}

describe("a person's rules for commands", () => {
  it("are one command's words, quoted as in a shell", () => {
    assert.deepEqual(wordsOf("npm test"), ["npm", "test"]);
    assert.deepEqual(wordsOf("git commit -m *"), ["git", "commit", "-m", "*"]);
    assert.deepEqual(wordsOf(`grep 'a b' "c"`), ["grep", "a b", "c"]);
    for (const none of ["", " ", "a | b", "a; b", "a > b", "$X", "* rm", "a*", "'", "a &"]) {
      assert.equal(wordsOf(none), undefined, none);
    }
  });

  it("allow what begins with their words, and nothing that is not known", () => {
    const allow = ["npm test", "git commit -m *"];
    for (const line of [
      "npm test",
      "npm test -- --grep x",
      "git commit -m words",
      "'npm' te\\st",
    ]) {
      assert.equal(ask(line, { allow }), "allow", line);
    }
    for (const line of [
      "npm",
      "npm testx",
      "npm run test",
      "git commit",
      "npm test $X",
      "npm test *",
      "./npm test",
      "NPM test",
    ]) {
      assert.equal(ask(line, { allow }), undefined, line);
    }
  });

  it("are about no more than their words with = in front, or where more would be installed", () => {
    assert.deepEqual(wordsOf("= npm install"), ["npm", "install"]);
    for (const allow of ["=npm test", " = npm test"]) {
      assert.equal(ask("npm test", { allow: [allow] }), "allow");
      assert.equal(ask("npm test x", { allow: [allow] }), undefined);
    }
    for (const allow of [
      "npm install",
      "npm i",
      "pip install",
      "cargo add",
      "yarn dlx",
      "npm exec",
    ]) {
      assert.equal(ask(allow, { allow: [allow] }), "allow");
      assert.equal(ask(`${allow} evil`, { allow: [allow] }), undefined, allow);
      assert.equal(ask(`${allow} evil`, { allow: [`${allow} evil`] }), "allow", allow);
    }
    assert.equal(ask("git push", { deny: ["=git push"] }), "deny");
    assert.equal(ask("git push origin", { deny: ["=git push"] }), undefined);
    assert.equal(ask("git $X", { deny: ["=git push"] }), "unsure");
  });

  it("that deny cannot be got round by what bash computes or expands", async () => {
    const stage = new CommandStage();
    stage.preset = "all";
    const lines = [
      "x='$(rm y)'; echo ${x@P}",
      "x='a[$(rm y)]'; echo $((x))",
      "x='a[$(rm y)]'; ((x))",
      "[[ 'a[$(rm y)]' -eq 1 ]]",
      "test -v 'a[$(rm y)]'",
      "printf -v 'a[$(rm y)]' x",

      "let 'a[$(rm y)]=1'",
      "declare -i x='a[$(rm y)]'",
      "unset 'a[$(rm y)]'",
      "read 'a[$(rm y)]'",
      "echo ${a[x]}",
      "echo ${!x}",
      "r$X y",
      "r{m,} y",
      "/bin/r? y",
      "r$IFS y",
      "`echo rm` y",
    ];
    stage.rules = { allow: [], deny: ["rm"] };
    for (const line of lines) assert.notEqual((await stage.decide(line)).type, "allow", line);
    stage.rules = { allow: [], deny: [] };
    assert.equal((await stage.decide("i=1; echo $((i + 1)) ${a[i]}")).type, "allow");
    assert.equal((await stage.decide("echo ${x@P}")).type, "ask");
  });

  it("deny what has their words in this order, however it is called", () => {
    const deny = ["git push --force", "rm"];
    for (const line of [
      "rm x",
      "/bin/rm x",
      "RM x",
      "\\rm x",
      "r''m -rf .",
      "git push --force",
      "git push origin main --force",
      "git -C x push --force",
    ]) {
      assert.equal(ask(line, { deny }), "deny", line);
    }
    for (const line of ["git push", "git log", "grep rm x", "rmdir x"]) {
      assert.equal(ask(line, { deny }), undefined, line);
    }
    for (const line of ["git push $X", "$X y", "git $X --force"]) {
      assert.equal(ask(line, { deny }), "unsure", line);
    }
    assert.equal(ask("rm x", { allow: ["rm"], deny }), "deny");
    assert.equal(ask("ls", { deny: ["rm |"] }), "unreadable");
  });

  it("that deny and cannot be read are named", async () => {
    const stage = new CommandStage();
    stage.rules = { allow: [], deny: ["curl", "rm |"] };
    for (const preset of ["safe", "all"] as const) {
      stage.preset = preset;
      const { type, why } = await stage.decide("ls");
      assert.equal(type, "ask");
      assert.match(spoken(why), /“rm \|”.*cannot be read/);
    }
  });

  it("let a line run when every command in it may, and never when one is denied", async () => {
    const stage = new CommandStage();
    stage.rules = { allow: ["npm test", "touch"], deny: ["curl", "rm -rf"] };
    const decide = async (line: string) => (await stage.decide(line)).type;
    assert.equal(await decide("npm test"), "allow");
    assert.equal(await decide("cd src && npm test 2>&1 | tail -5"), "allow");
    for (const line of [
      "npm test && touch2 x",
      "npm test > out.txt",
      "A=1 npm test",
      "npm test $(id)",
      "npm test &",
      "npm test | sh",
      "touch .vscode/tasks.json",
      "touch AGENTS.md",
      "touch /tmp/x",
      "touch out/x",
    ]) {
      assert.equal(await decide(line), "ask", line);
    }
    for (const preset of ["ask", "safe", "all"] as const) {
      stage.preset = preset;
      for (const line of [
        "curl x",
        "npm test; curl x",
        "sh -c 'curl x'",
        "echo $(curl x)",
        "sudo -u me curl x",
        "env A=1 curl x",
        "timeout 5 curl x",
        "find . -exec curl {} \\;",
        "ls | xargs curl",
        "if true; then curl x; fi",
        "eval 'curl x'",
        "bash -lc 'cd src && curl x'",
        "/usr/bin/curl x",
        "rm x -rf",
        "rm -v -rf x",
        "watch 'curl x'",
        "npx curl x",
        "f() { curl x; }; f",
        "cat <(curl x)",
      ]) {
        assert.equal(await decide(line), "deny", `${preset}: ${line}`);
      }
    }
    // Nobody can say of these that they are not denied.
    for (const line of ["$X x", "eval $X", 'sh -c "$X"', "rm $X", "xargs", "ls ("]) {
      assert.equal(await decide(line), "ask", line);
    }
  });
});
