import { createHmac } from "node:crypto";
import { UserError } from "../../core/errors.js";
import type { Signer } from "../../core/ports/system.js";
import { isTeamKey } from "../../core/team/teamAddress.js";

/**
 * Signs with the key that the machines of a team share. What it signs for one plan of one repository is not valid for
 * another.
 */
export class TeamKey implements Signer {
  readonly #key: string;
  readonly #place: string;

  /** @param key as {@link readTeamKey} returns it */
  constructor(
    key: string,
    { repository, id }: { readonly repository: string; readonly id: string },
  ) {
    this.#key = key;
    this.#place = `${repository}\0${id}`;
  }

  sign(subject: string, text: string | Uint8Array): string {
    const code = createHmac("sha256", this.#key)
      .update(`${this.#place}\0${subject}\0`)
      .update(text);
    return code.digest("base64url").slice(0, 22);
  }
}

/** Returns the team's key. Throws a {@link UserError} if there is none, or one that could be guessed. */
export function readTeamKey(env: NodeJS.ProcessEnv): string {
  const key = env["ROOROO_TEAM_KEY"]?.trim() ?? "";
  if (isTeamKey(key)) return key;
  throw new UserError(
    "teamKeyMissing",
    "ROOROO_TEAM_KEY must have the key that all machines of the team share: 32 characters or more, as `openssl rand -hex 32` prints them.",
  );
}
