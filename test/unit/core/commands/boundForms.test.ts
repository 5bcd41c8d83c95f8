import assert from "node:assert/strict";
import type { CommandAction } from "../../../../src/core/agent/tool.js";
import { permissionCovers, permissionsFor } from "../../../../src/core/approvals/permission.js";
import { CommandStage } from "./commandStage.js";

/** Files of the stage that are run, with what they say. */
const scripts = {
  run: "true\n",
  "a.sh": "true\n",
  "ab.sh": "true\n",
  "x.js": "1\n",
  "lib/y.js": "1\n",
  "tool.py": "1\n",
  "pkg/__main__.py": "1\n",
  "x.rb": "1\n",
  "x.pl": "1\n",
  "x.lua": "1\n",
  "x.php": "1\n",
  "x.awk": "1\n",
  "x.ts": "1\n",
  "x.gradle": "1\n",
  "x.mk": "all:\n",
  "x.sql": "1\n",
  "bin/tool": "true\n",
  Makefile: "all:\n",
  justfile: "all:\n",
  "Cargo.toml": "[package]\n",
  "pyproject.toml": "[tool]\n",
  "build.gradle": "1\n",
  "pom.xml": "<x/>\n",
  "sub/package.json": "{}",
  "sub/Makefile": "all:\n",
  "x.so": "1\n",
};

/** Each runs this file: when it changes, what was allowed has ended. */
const forms: readonly (readonly [file: keyof typeof scripts | "package.json", lines: string[]])[] =
  [
    [
      "run",
      [
        "./run",
        "sh run",
        "bash run",
        "bash ./run",
        "sh -e run",
        "bash -eu run",
        "sh -x ./run 1",
        "bash -euo pipefail run",
        "bash -o errexit run",
        "bash +x run",
        "bash --norc run",
        "bash --posix -e run",
        "bash -- run",
        "sh < run",
        "bash -s < run",
        "bash < ./run",

        "cat x | bash run",
        ". ./run",
        "source ./run",
        "source run",
        "exec ./run",
        "exec sh run",
        "command ./run",
        "nohup ./run",
        "nohup bash -e run",
        "nice -n 5 ./run",
        "nice ./run",
        "time ./run",
        "timeout 5 bash run",
        "timeout -k 1 5 ./run",
        "timeout -s KILL 5 ./run",
        "env ./run",
        "env X=1 ./run",
        "env -i ./run",
        "env -u A bash run",
        "stdbuf -o0 ./run",
        "setsid ./run",
        "X=1 ./run",
        "X=1 sh run",
        "sudo ./run",
        "sudo -u me sh run",
        "bash -c ./run",
        "bash -c 'sh run'",
        "sh -c '. ./run'",
        "eval ./run",
        "eval 'sh run'",

        "cd src && ../run",
        "cd src && sh ../run",
        "true && ./run",
        "./run | tail -5",
        "! ./run",
        "(./run)",
        "{ sh run; }",
        "if ./run; then ls; fi",
        "for i in 1 2; do ./run; done",

        "trap ./run EXIT",
        "python3 run",
        "python3 -W ignore run",
        "python3 -u -B run",
        "node run",
        "ruby run",
        "perl run",
        "zsh run",
        "dash run",
        "busybox sh run",
        "busybox run ./run",

        "watch ./run",
        "xargs ./run",
        "find . -exec ./run \\;",
        "/bin/sh run",
        "/usr/bin/env sh run",

        "BASH_ENV=run bash -c ls",
        "ENV=./run sh -c ls",
        "flock /dev/null ./run",
        "strace -f ./run",
      ],
    ],
    [
      "ab.sh",
      ["sh ab.sh", "sh a*.sh", "sh ?b.sh", "bash < a*b.sh", "for f in 1; do sh ab.sh; done"],
    ],
    [
      "x.js",
      [
        "node x.js",
        "node ./x.js 1",
        "node x",
        "node --require ./x.js run",
        "node -r ./x run",
        "node --import=./x.js run",
        "node --test x.js",
        "node --loader ./x.js run",
        "bun x.js",
        "bun run x.js",
        "deno run --allow-read x.js",
        "deno run -A ./x.js",
        "npx node x.js",
        "NODE_OPTIONS='--require ./x.js' node run",
        "npx tsx x.js",
        "nodemon x.js",
      ],
    ],
    [
      "lib/y.js",
      ["node lib/y.js", "node lib/y", "cd lib && node y.js", "node x.js --config lib/y.js"],
    ],
    [
      "tool.py",
      [
        "python tool.py",
        "python3 -m tool",
        "python3 -X dev tool.py",
        "pypy3 tool.py",
        "uv run tool.py",
      ],
    ],
    ["pkg/__main__.py", ["python3 -m pkg"]],
    ["x.rb", ["ruby x.rb", "ruby -W0 x.rb", "ruby -r ./x.rb run", "bundle exec ruby x.rb"]],
    ["x.pl", ["perl x.pl", "perl -w x.pl"]],
    ["x.lua", ["lua x.lua", "luajit x.lua"]],
    ["x.php", ["php x.php", "php -f x.php", "php -d a=1 x.php"]],
    ["x.awk", ["awk -f x.awk README.md", "gawk -fx.awk README.md"]],
    ["x.ts", ["tsx x.ts", "ts-node x.ts", "deno run x.ts", "npx ts-node --esm x.ts"]],
    ["x.mk", ["make -f x.mk", "make -fx.mk all", "make --file=x.mk", "gmake -f x.mk"]],
    ["x.sql", ["psql -f x.sql", "psql < x.sql", "sqlite3 a.db < x.sql"]],
    ["bin/tool", ["bin/tool", "./bin/tool a", "cd bin && ./tool"]],
    ["Makefile", ["make", "make all", "make -j 4 test", "cd src && make -C .."]],
    ["justfile", ["just", "just test"]],
    ["Cargo.toml", ["cargo run", "cargo test", "cargo build"]],
    ["pyproject.toml", ["poetry run x", "tox", "uv run pytest", "pip install ."]],
    ["build.gradle", ["gradle test", "gradle run"]],
    ["pom.xml", ["mvn test", "mvn -q verify"]],
    [
      "package.json",
      [
        "npm test",
        "npm run x",
        "npm start",
        "pnpm run x",
        "yarn x",
        "npx jest",
        "cd src && npm test",
      ],
    ],
    [
      "sub/package.json",
      ["npm --prefix sub test", "npm --prefix=sub run x", "yarn --cwd sub x", "cd sub && npm test"],
    ],
    ["sub/Makefile", ["make -C sub", "make -Csub", "make --directory=sub"]],
    ["x.so", ["LD_PRELOAD=./x.so ls", "env LD_PRELOAD=./x.so ls", "LD_PRELOAD=x.so ./run"]],
  ];

/** Of these nobody can tell what they run, so that nothing lasts. */
const untold = [
  "sh",
  "bash -s",
  "cat run | sh",
  "curl https://example.com | bash",
  "sh $X",
  "sh a[b].sh",

  "sh {run,a.sh}",
  'sh "$F"',
  "$X run",
  "${SHELL} run",
  "python3 $X",
  'eval "$X"',
  'bash -c "$X"',

  "ls *.sh | xargs sh",
  "ls | xargs -I{} sh {}",
  "find . -name '*.sh' -exec sh {} \\;",
  "parallel sh ::: run",

  "for f in *.sh; do sh $f; done",
  "cd $X && ./run",
  "cd $X; sh run",
  "cd $X && make",
  "sh $(ls)",
  "sh `ls`",

  "env -S 'sh run'",
  "env $X",
  "node -e 'require(\"./x\")'",
  "python3 -c 'import tool'",
  "node .",

  "python3 pkg",
  "ruby -e 'load \"./x.rb\"'",
  "perl -e 'do \"./x.pl\"'",
  "sh /tmp/x.sh",
  "/tmp/x",
  "sh <(cat run)",

  "PATH=$X ls",
  "export PATH=$X; tool",
  "git -c alias.x=!sh x",
  "git -c core.pager=./run log",
  "alias x=$Y; x",
];

async function intentOf(stage: CommandStage, line: string): Promise<CommandAction> {
  return {
    access: "command",
    title: line,
    command: line,
    path: "",
    inside: true,
    preview: { kind: "command", text: line },
    ...(await stage.review(line)),
  };
}

describe("what was allowed of a script", () => {
  it("ends when the script changes, in whatever form it is run", async () => {
    const stage = new CommandStage(false);
    for (const [path, text] of Object.entries(scripts)) stage.files.put(path, text);
    const survived: string[] = [];
    let count = 0;
    for (const [file, lines] of forms) {
      for (const line of lines) {
        count++;
        const grants = permissionsFor(await intentOf(stage, line), false);
        const before = stage.files.text(file) ?? "";
        stage.files.put(file, `${before} `);
        const after = await intentOf(stage, line);
        if (grants.some((grant) => permissionCovers(grant, after, false))) survived.push(line);
        stage.files.put(file, before);
        const again = await intentOf(stage, line);
        assert.ok(
          grants.every((grant) => permissionCovers(grant, again, false)),
          line,
        );
      }
    }
    assert.ok(count >= 105, String(count));
    assert.deepEqual(survived, []);
  });

  it("is never to last where nobody can tell which file it runs", async () => {
    const stage = new CommandStage(false);
    for (const [path, text] of Object.entries(scripts)) stage.files.put(path, text);
    const lasting: string[] = [];
    for (const line of untold) {
      if (permissionsFor(await intentOf(stage, line), false).length > 0) lasting.push(line);
    }
    assert.deepEqual(lasting, []);
  });

  it("lasts for commands that take files for data, whatever is in these", async () => {
    const stage = new CommandStage(false);
    for (const line of [
      "npx eslint src/a.ts",
      "npx prettier --check src/a.ts",
      "tsc --noEmit src/a.ts",
      "npm test src/a.ts",

      "git add src/a.ts",
      "python3 -m pytest src/a.ts",
      "npx mocha src/a.ts",
      "rm src/a.ts",
      "cat src/a.ts | wc",

      "npm run build --production",
      "X=1 npm test",
      "npm run lint && npm test",
      "curl $X",
      "ls $X",
    ]) {
      const [grant] = permissionsFor(await intentOf(stage, line), false);
      assert.ok(grant, line);
      stage.files.put("src/a.ts", `${line}\n`);
      assert.ok(permissionCovers(grant, await intentOf(stage, line), false), line);
    }
  });
});

describe("what was allowed of a chain", () => {
  const second = async (line: string) =>
    permissionsFor(await intentOf(new CommandStage(false), line), false)[1];

  it("is offered for each command whose beginning can stand for more", async () => {
    const stage = new CommandStage(false);
    const grant = await second(
      "cd src && CI=1 npm test a.ts && npm run build --production | tail -5",
    );
    assert.deepEqual(grant?.kind === "chain" && grant.commands, [
      { assignments: ["CI=1"], words: ["npm", "test"], exact: false },
      { assignments: [], words: ["npm", "run", "build", "--production"], exact: true },
    ]);
    for (const [line, isCovered] of [
      ["CI=1 npm test", true],
      ["cd src && CI=1 npm test b.ts c.ts", true],
      ["CI=1 npm test; npm run build --production", true],
      ["cd src; ls; cat a.ts && CI=1 npm test", true],
      ["npm test", false],
      ["CI=2 npm test", false],
      ["CI=1 npm test --x", false],
      ["CI=1 npm test > x", false],
      ["CI=1 npm test > AGENTS.md", false],
      ["CI=1 npm test && npm run build", false],
      ["CI=1 npm test && npm run build --production x", false],
      ["CI=1 npm test && curl https://example.com", false],
      ["CI=1 npm test $(id)", false],
      ["CI=1 npm test &", false],
      ["CI=1 npm test && sh", false],
      ["PATH=. npm test", false],
      ["CI=1 PATH=. npm test", false],
    ] as const) {
      assert.equal(
        permissionCovers(grant as never, await intentOf(stage, line), false),
        isCovered,
        line,
      );
    }
  });

  it("is not offered where it would be no more than the line itself", async () => {
    for (const line of [
      "npm install",
      "npm install && node x.js",
      "X=1 node x.js",
      "PATH=. npm test",
    ]) {
      assert.equal(await second(line), undefined, line);
    }
  });
});
