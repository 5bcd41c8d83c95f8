import { existsSync } from "node:fs";
import { findOnPath } from "../process/findOnPath.mjs";
import { say } from "../process/say.mjs";
import { aptInstall, canAptInstall } from "./aptInstall.mjs";

/**
 * Installs PostgreSQL by apt where that is possible. Where it is not, the tests of a team's queue run on an embedded
 * one only.
 */
export async function ensurePostgres() {
  if (findOnPath(["initdb"]) !== undefined || existsSync("/usr/lib/postgresql")) return;
  if (!canAptInstall()) return;
  say("Installing PostgreSQL with apt (once) …");
  try {
    await aptInstall(["postgresql"]);
  } catch (error) {
    say(`PostgreSQL could not be installed: ${error instanceof Error ? error.message : error}`);
  }
}
