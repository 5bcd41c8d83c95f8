import { readFileSync } from "node:fs";

/** The absolute paths at which file systems are mounted. */
export function mountPoints(): string[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? [])
    .map((path) =>
      path.replace(/\\([0-7]{3})/g, (_all, octal: string) =>
        String.fromCharCode(parseInt(octal, 8)),
      ),
    );
}
