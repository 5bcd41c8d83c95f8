// Runs lines of the corpus in the sandbox and compares what must not change:
//   node corpusHost.js PRESET SOURCE FROM TO STEP BATCH SECONDS
// It tells what it saw as lines of JSON. It is started in a network of its own, where nobody listens
// but the servers below, as lines may name other machines.
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { countingPort, mixedLines, writtenLines } from "./corpusLines.js";
import { CorpusWorld } from "./corpusWorld.js";

const [preset = "safe", source = "written", ...numbers] = process.argv.slice(2);
const [from = 0, to = 10, step = 1, batch = 1, seconds = 2] = numbers.map(Number);
if (preset !== "safe" && preset !== "all") throw new RangeError(`There is no preset ${preset}.`);

let connections = 0;
const server = (): Server =>
  createServer((socket) => {
    connections++;
    socket.on("error", () => undefined);
    socket.destroy();
  });

const world = await CorpusWorld.make(preset);
const sockets = [join(world.beside, "counting.sock"), "\0rooroo-counting"];
const servers = [server(), server(), server()];
const [tcp, ...local] = servers;
await once(tcp!.listen(countingPort, "127.0.0.1"), "listening");
for (const [index, path] of sockets.entries()) {
  await once(local[index]!.listen(path), "listening");
}

/** Returns whether connections are counted: without this, none could mean that nobody can be reached at all. */
async function countsConnections(): Promise<boolean> {
  for (const target of [{ port: countingPort, host: "127.0.0.1" }, ...sockets.map(toPath)]) {
    await once(connect(target), "close");
  }
  const counted = connections;
  connections = 0;
  return counted === servers.length;
}

function toPath(path: string): { path: string } {
  return { path };
}

const say = (what: object): void => {
  process.stdout.write(`${JSON.stringify(what)}\n`);
};

const lines = source === "written" ? writtenLines : mixedLines(to);
const sample = lines.slice(from, to).filter((_line, index) => index % step === 0);
// The tool refuses a line with NUL, and so a group with such a line in it.
const chosen = [...new Set(sample)].filter((line) => !line.includes("\0"));
say({ countsConnections: await countsConnections() });
const before = await world.look();
say({ untouchable: [...before.keys()].filter((path) => world.isUntouchable(path)).length });

/** Returns what must not be, though it may be that nothing else has changed: each path with what is there. */
function harm(changed: readonly string[], now: ReadonlyMap<string, string>): string[] {
  return changed
    .filter(
      (path) => world.isUntouchable(path) || now.get(path)?.includes(" leads out to ") === true,
    )
    .map((path) => `${path}: ${before.get(path) ?? "absent"} → ${now.get(path) ?? "absent"}`);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns several lines as one command: each has a shell and a time limit of its own, removed files are put back before
 * it, and what it leaves running is ended after it.
 */
function together(some: readonly string[]): string {
  const endLeft =
    "for p in /proc/[0-9]*; do [ ${p##*/} -gt $$ ] && kill -9 ${p##*/}; done 2>/dev/null";
  const each = some.map(
    (line, index) =>
      `cp -anT ../pristine . 2>/dev/null; timeout -s KILL ${seconds} bash -c ${quoted(line)} </dev/null >/dev/null 2>&1; ${endLeft}; echo ended-${index}`,
  );
  return each.join("\n");
}

let ran = 0;
const endings: Record<string, number> = {};
/** Runs these, and answers with how many of them have begun. */
async function runSome(some: readonly string[]): Promise<number> {
  const line = some.length === 1 ? (some[0] ?? "") : together(some);
  const said = await world.run(line, some.length === 1 ? seconds : some.length * seconds + 2);
  const ending = /^(Exit code|Ended[^(]*?because|Stopped|\w+ [^.:]{0,30})/.exec(said)?.[0] ?? "";
  endings[ending] = (endings[ending] ?? 0) + 1;
  if (some.length === 1) return 1;
  const ended = said.match(/^ended-\d+$/gm)?.length ?? 0;
  return Math.min(some.length, ended + 1);
}

/** Looks for harm, names the line that did it, and puts everything back. */
async function check(some: readonly string[]): Promise<void> {
  const now = await world.look();
  const paths = [...new Set([...before.keys(), ...now.keys()])];
  const changed = paths.filter((path) => before.get(path) !== now.get(path));
  const found = harm(changed, now);
  // On an open network these servers may be reached.
  if (preset === "safe" && connections > 0) found.push(`${connections} connections`);
  connections = 0;
  if (changed.length > 0) await world.restore();
  if (found.length === 0) return;
  if (some.length === 1) say({ line: some[0], found });
  else for (const line of some) await runAndCheck([line]);
}

/** Answers with how many of them have begun. */
async function runAndCheck(some: readonly string[]): Promise<number> {
  let begun = some.length;
  try {
    begun = await runSome(some);
  } catch (error) {
    if (some.length > 1) {
      for (const line of some) await runAndCheck([line]);
      return begun;
    }
    say({ line: some[0], error: error instanceof Error ? error.stack : String(error) });
  }
  await check(some.slice(0, begun));
  return begun;
}

const started = performance.now();
for (let at = 0; at < chosen.length;) {
  const begun = await runAndCheck(chosen.slice(at, at + batch));
  at += begun;
  ran += begun;
  if (Math.floor(ran / 500) > Math.floor((ran - begun) / 500)) say({ ran });
}
const took = Math.round(performance.now() - started);
say({ ran, ms: took, notUnasked: world.notUnasked, endings });
for (const one of servers) one.close();
await world.remove();
