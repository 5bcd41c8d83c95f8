import { hostname } from "node:os";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { teamName } from "../../core/ports/teamQueue.js";
import { secretsOf, type TeamAddress } from "../../core/team/teamAddress.js";
import { readTeamKey } from "../../node/user/teamKey.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { placeOf, readUserFile } from "../session/userFile.js";
import type { Terminal } from "../terminal/terminal.js";

/**
 * Returns the team's database and key, from the command line and the environment, never from the workspace.
 *
 * @throws {WrongUse} if no database is named
 * @throws {UserError} if there is no key
 */
export function teamSettings(db: string | undefined, terminal: Terminal): TeamAddress {
  const url = db ?? process.env["ROOROO_TEAM_DATABASE"]?.trim() ?? "";
  if (url === "") {
    throw new WrongUse(
      "teamDatabaseMissing",
      "Name the team's database by --db or ROOROO_TEAM_DATABASE, as in postgresql://rooroo@db.example.test/team?sslmode=verify-full.",
    );
  }
  const key = readTeamKey(process.env);
  terminal.redactor.learn(...secretsOf({ url, key }));
  return { url, key };
}

/** The form of the file that says on what a worker works. */
const fileSchema = z.strictObject({
  repositories: z.record(
    z.string().check(z.regex(teamName)),
    z.string().check(z.minLength(1), z.maxLength(1000), z.regex(/^[^-\0]/)),
  ),
});

/**
 * Returns the addresses of the repositories that a worker's own list names, by their names.
 *
 * @throws {WrongUse} if the list is missing or invalid
 */
export async function repositoriesOf(path: string): Promise<ReadonlyMap<string, string>> {
  const read = (json: unknown) => {
    const parsed = fileSchema.safeParse(json);
    if (!parsed.success) {
      return { problem: placeOf(parsed.error.issues[0]) };
    }
    return { content: new Map(Object.entries(parsed.data.repositories)) };
  };
  const found = await readUserFile(resolve(path), "docs/team.md", read);
  if (found !== undefined) return found;
  throw new WrongUse(
    "repositoriesMissing",
    "There is no file {path} with the worker's repositories. Create it, or name another by --repos.",
    {
      path,
    },
  );
}

/** Returns the labels of a list, as in `linux,gpu`. Throws {@link WrongUse} if one is invalid. */
export function labelsOf(given: string | undefined): string[] {
  const labels = (given ?? "")
    .split(",")
    .map((label) => label.trim())
    .filter(Boolean);
  const bad = labels.find((label) => !teamName.test(label));
  if (bad === undefined) return [...new Set(labels)].sort();
  throw new WrongUse(
    "labelInvalid",
    "{label} is no label: labels have small letters, digits and -, as in linux,gpu.",
    { label: JSON.stringify(bad) },
  );
}

/** Returns the name of this machine, for others to see. Throws {@link WrongUse} if it is invalid. */
export function machineName(given: string | undefined): string {
  const name = given ?? hostname().slice(0, 60);
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(name)) return name;
  throw new WrongUse("machineNameInvalid", "{name} is no name for a machine. Give one by --name.", {
    name: JSON.stringify(name),
  });
}
