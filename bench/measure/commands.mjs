import { execFileSync } from "node:child_process";
import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

const lines = [
  "git log --oneline | head -3",
  "cd src && grep -rn 'total' --include='*.ts' . | sort | uniq -c",
  "npm test 2>&1 | tail -20",
  "find . -name '*.ts' -exec grep -l total {} \\;",
  "for f in a b c; do sed -i 's/a/b/' $f; done && git commit -m 'x'",
];

/** Measures what it costs to understand a command before it runs: the first with the grammar's load, the next. */
export async function commands({ quick }) {
  const [{ BashParser }, { DiskFileSystem }, { reviewCommand }] = await Promise.all(
    ["node/shell/bashParser", "node/files/diskFileSystem", "core/commands/reviewCommand"].map(
      compiled,
    ),
  );
  const root = await scratch();
  execFileSync("git", ["init", "-q"], { cwd: root });
  const world = {
    files: new DiskFileSystem(root),
    parser: new BashParser(),
    isHidden: () => false,
    protection: async () => undefined,
    rules: { allow: ["npm test"], deny: ["rm -rf"] },
  };
  const first = await timed(() => reviewCommand(lines[0], "", world));
  const times = [];
  for (let round = 0; round < (quick ? 20 : 200); round++) {
    for (const line of lines) times.push(await timed(() => reviewCommand(line, "", world)));
  }
  return [
    row("first command: load and analyse", first, "ms", 250),
    row("a command: analyse (median)", median(times), "ms", 5),
  ];
}
