import assert from "node:assert/strict";
import fc from "fast-check";
import { foldedPath } from "../../../../src/core/access/foldedPath.js";
import { protectedFiles, protection } from "../../../../src/core/access/protectedFiles.js";
import { mayHoldSecrets } from "../../../../src/core/access/secretFiles.js";
import { spoken } from "../../../../src/core/text/words.js";
import { tries } from "../../../fakes/tries.js";

/** Ways to write one name that some file system takes for the same. */
const disguises: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) =>
    name.replace(/[a-z]/g, (letter, at: number) => (at % 2 ? letter : letter.toUpperCase())),
  (name) => `${name}.`,
  (name) => `${name} `,
  (name) => `${name} . .`,
  (name) => `${name}::$INDEX_ALLOCATION`,
  (name) => `${name}:$DATA`,
  (name) => `${name.slice(0, 2)}\u200C${name.slice(2)}`,
  (name) => `\uFEFF${name}`,
  (name) => `${name}\u{E0041}`,
  (name) => name.replace("k", "\u212A").replace("s", "\u017F"),
  (name) => name.replace("i", "\u0131"),
  (name) => name.replace("e", "e\u0301").normalize("NFC"),
  (name) => name.replace(/[a-z]/g, (l) => String.fromCodePoint(0xff41 + l.charCodeAt(0) - 97)),
];

describe("protected files", () => {
  it("are known by every spelling that a file system may take for theirs", () => {
    const names = [".git", ".vscode", ".roomodes", "agents.md", ".husky", ".mcp.json", ".npmrc"];
    for (const name of names) {
      for (const disguise of disguises) {
        const spelled = disguise(name);
        for (const path of [spelled, `a/b/${spelled}`, `a/${spelled}/hooks/x`]) {
          assert.notEqual(protection(path), undefined, JSON.stringify(path));
        }
      }
    }
    for (const path of ["GIT~1/config", "git~1", "VSCODE~2/settings.json", "a/CLAUDE~1.MD"]) {
      assert.notEqual(protection(path), undefined, path);
    }
  });

  it("are known under any mixture of disguises", () => {
    const all = protectedFiles
      .flatMap(({ patterns }) => patterns)
      .filter((pattern) => !/[*!/]/.test(pattern));
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(fc.constantFrom(...disguises), { maxLength: 3 }),
        fc.array(fc.constantFrom("src", "ä", "a b", "x.y"), { maxLength: 3 }),
        (name, applied, folders) => {
          const spelled = applied.reduce((text, disguise) => disguise(text), name);
          assert.notEqual(protection([...folders, spelled].join("/")), undefined, spelled);
        },
      ),
    );
  });

  it("never answer a path with an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (path) => {
        const why = protection(path);
        assert.ok(why === undefined || spoken(why).endsWith("."));
        assert.equal(typeof mayHoldSecrets(path), "boolean");
        const folded = foldedPath(path);
        if (folded !== undefined) assert.equal(foldedPath(folded), folded);
      }),
      { numRuns: tries(2000) },
    );
    for (const path of ["\u200B/x", "a/\u2026/b", "a//b", "\u2100"]) {
      assert.notEqual(protection(path), undefined, JSON.stringify(path));
    }
  });

  it("leave ordinary files alone", () => {
    for (const path of [
      "",
      "src/cart.js",
      "README.md",
      "src/head.ts",
      "lib/git.rs",
      "a/legit",
      "docs/git.md",
      "package.json",
      "tsconfig.json",
      ".gitignore",
      ".editorconfig",
      ".env.example",
      "x.envy",
      "src/a#b%25.js",
      "größe/ñ.txt",
      "日本語/文.md",
      "Makefile",
      "build.gradle",
      "vite.config.ts",
      "test/fixtures/rules.md",
      "src/agents/agent.ts",
      "a:b.txt",
      "notes~",
      "file.~1~",
      ".../x",
    ]) {
      assert.equal(protection(path), undefined, path);
    }
  });

  it("are agents' rules under whatever ending", () => {
    for (const name of [".clinerules", ".clinerules-code", ".clinerules.md", ".cursorrules.bak"]) {
      assert.notEqual(protection(name), undefined, name);
      assert.notEqual(protection(`sub/${name}/a.md`), undefined, name);
    }
  });
});

describe("files that may hold secrets", () => {
  it("are known by name", () => {
    for (const path of [
      ".env",
      "a/.env.local",
      ".ENV",
      "prod.env",
      "server.pem",
      "tls/server.KEY",
      ".npmrc",
      "id_rsa",
      "id_ed25519.bak",
      ".ssh/config",
      ".aws/credentials",
      "terraform.tfvars",
      ".env.",
    ]) {
      assert.equal(mayHoldSecrets(path), true, path);
    }
    for (const path of [
      "",
      ".env.example",
      "id_rsa.pub",
      "src/env.ts",
      "src/secrets.ts",
      "keys.md",
      "environment",
    ]) {
      assert.equal(mayHoldSecrets(path), false, path);
    }
  });

  it("are known by names of folders, tools and copies, too", () => {
    for (const path of [
      "secrets/db.txt",
      "a/.secrets/x",
      "db.secret",
      "db.secrets",
      "x.token",
      "auth.json",
      ".gcp/key",
      ".gpg/ring",
      "a.truststore",
      ".continue/config.json",
      "server.key.backup",
      "prod.env.old",
      ".env.old",
      "id_rsa.bak",
      "server.key~",
      "server.pem.1",
      "server.key.gz",
      ".server.key.swp",
      "credentials.json.orig",
      "tls.key.old.2",
      "Server.KEY.Backup",
      "server.key.~2~",
      "secrets.yaml.save",
      ".npmrc.bak",
      "sub/.netrc_old",
    ]) {
      assert.equal(mayHoldSecrets(path), true, path);
    }
    for (const path of [
      "src/secretary.ts",
      "src/tokens.ts",
      "src/auth.ts",
      "package.json.bak",
      "a.txt~",
      "x.1",
      ".env.example.bak",
      "notes.old",
      "tokenizer.json",
      "src/keys.ts",
      "README.md.gz",
    ]) {
      assert.equal(mayHoldSecrets(path), false, path);
    }
  });
});
