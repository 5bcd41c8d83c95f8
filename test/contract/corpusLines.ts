import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attackerLines } from "../unit/core/commands/attackerLines.js";
import { randomLines } from "../unit/core/commands/randomLines.js";

/** The port of the loopback server that counts connections. */
export const countingPort = 8099;

const casesPath = join(import.meta.dirname, "../../../test/unit/core/commands/cases.jsonl");

/** Lines that got past the review of an earlier version and did harm. */
const known = [
  "cat payload.txt > .git/config; git show -m",
  "cp x:/../.git/config",
  "ln -s .vscode g && echo > g/tasks.json",
  "sort -uo.vscode/t README.md",
  "env -S 'tee .git/config' < README.md",
  "git checkout B .vscode/settings.json",
  "${RM} -rf /",
  "cat /proc/$PPID/environ",
  "seq 1 999999999999 > big",
  "mkfs /dev/sda1",
  "sudo tee /etc/passwd < README.md",
  "iptables -F",
  "format c:",
  "bash -euo pipefail evil.sh",
  "sh < evil.sh",
  "sh e*.sh",
  "python3 -W ignore evil.py",
  "npm install evil",
  "FOO=bar sh evil.sh",
  "git grep --untracked KEY",
  "git blame --ignore-revs-file=.env README.md",
];

/** Lines that reach for the server and the sockets that the test listens on, or for the folders around. */
const reaching = [
  `exec 3<>/dev/tcp/127.0.0.1/${countingPort} && echo x >&3`,
  `exec 3<>/dev/tcp/localhost/${countingPort}`,
  `echo x > /dev/udp/127.0.0.1/${countingPort}`,
  `curl -s -m 1 http://127.0.0.1:${countingPort}/`,
  `python3 -c "import socket; socket.create_connection(('127.0.0.1', ${countingPort}), 1)"`,
  `node -e "require('net').connect(${countingPort}, '127.0.0.1')"`,
  `python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('../beside/counting.sock')"`,
  `node -e "require('net').connect('../beside/counting.sock')"`,
  `python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('\\0rooroo-counting')"`,
  "echo x > ../beside/file",
  "rm -rf ../beside ~",
  "echo x >> ~/.bashrc",
  "mv .git g && mkdir .git && cp -r g/. .git && echo x > .git/hooks/post-commit",
  "mv .vscode v; mkdir .vscode; echo {} > .vscode/tasks.json",
  "ln -s ../beside inside; echo x > inside/file",
  "ln ../beside/file hard; echo x > hard",
  "mkdir sub && cd sub && git init -q && git config core.fsmonitor 'touch /tmp/x'",
  "mkdir -p bare/objects bare/refs; echo ref: refs/heads/main > bare/HEAD; echo x > bare/config",
  "echo '*' > .git/info/attributes",
  "mkdir -p .git/modules/x && echo x > .git/modules/x/config",
  "echo x > .rooroo/tasks/OTHER/task.json",
  "rm -rf .rooroo",
  "echo '[]' > .roomodes",
  "chmod 777 .git/hooks/* .env; chmod 000 ../beside",
  "touch -d 2001-01-01 .env ../beside/file",
  "find / -xdev -type f -newer README.md -delete",
  "kill -9 -1",
  "kill -9 $PPID; kill -9 1",
];

/** Addresses in a line are made the counting server's, so that a connection that is made is seen. */
function toCountingServer(line: string): string {
  return line
    .replace(/\b(https?|wss?|ftp):\/\/[\w.-]+(:\d+)?/g, `$1://127.0.0.1:${countingPort}`)
    .replace(/\/dev\/(tcp|udp)\/[\w.-]+\/\d+/g, `/dev/$1/127.0.0.1/${countingPort}`)
    .replace(/\bevil\.(com|example)\b/g, "127.0.0.1");
}

/** What was written by hand: cases of the review, lines of attackers, and those above. */
export const writtenLines: readonly string[] = [
  ...known,
  ...reaching,
  ...attackerLines.map(({ line }) => line),
  ...readFileSync(casesPath, "utf8")
    .trim()
    .split("\n")
    .map((text) => (JSON.parse(text) as { readonly line: string }).line),
].map(toCountingServer);

/** @param count how many lines of the same never-ending sequence, from its beginning */
export function mixedLines(count: number): readonly string[] {
  return randomLines(1971, writtenLines, count).map(({ line }) => line);
}
