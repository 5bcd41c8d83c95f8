import { homedir } from "node:os";
import { join } from "node:path";
import type { UserPlaces } from "../../core/access/userPlaces.js";
import { userFolder } from "./userFolder.js";

/**
 * Returns the user's own folders of skills, commands and rules: those of this program, the one that agents share
 * (https://agentskills.io), and those of the programs whose workspace folders are read, too. Sources for Cline and Kilo
 * Code: cline/cline, `src/core/storage/disk.ts`; https://docs.cline.bot/features/cline-rules;
 * https://kilo.ai/docs/customize/custom-rules. Cline asks Windows for the folder of documents; here it is the usual one.
 */
export function userPlaces(env: NodeJS.ProcessEnv): UserPlaces {
  const home = (...names: string[]) => join(homedir(), ...names);
  const own = (name: string) => join(userFolder(env), name);
  const cline = [home("Documents", "Cline"), home("Cline")];
  return {
    home: homedir(),
    skills: [
      own("skills"),
      ...[".agents", ".roo", ".claude", ".kilocode", ".cline"].map((name) => home(name, "skills")),
    ],
    commands: [
      own("commands"),
      ...[".agents", ".roo", ".claude"].map((name) => home(name, "commands")),
      ...cline.map((folder) => join(folder, "Workflows")),
      home(".kilocode", "workflows"),
      home(".config", "kilo", "command"),
      home(".config", "kilo", "commands"),
    ],
    rules: [
      own("rules"),
      home(".roo", "rules"),
      ...cline.map((folder) => join(folder, "Rules")),
      home(".kilocode", "rules"),
      home(".kilo", "rules"),
    ],
  };
}
