/**
 * Programs that look at nothing in the folder when they are asked for their version. Left out are
 * those that find out from the project's files which version to be, and run or fetch that: cargo,
 * go, yarn, pnpm, mvn, gradle, dotnet.
 */
const programs = new Set(
  "node npm npx python python3 pip pip3 ruby gem perl java javac gcc g++ cc clang make cmake git docker tsc deno bun bash zsh curl wget rg jq sqlite3 psql ffmpeg".split(
    " ",
  ),
);

export function isVersionQuery(name: string, args: readonly string[]): boolean {
  if (args.length !== 1 || !programs.has(name)) return false;
  return (
    args[0] === "--version" ||
    (args[0] === "-v" && /^(node|npm|npx|tsc)$/.test(name)) ||
    (args[0] === "-version" && /^javac?$/.test(name))
  );
}
