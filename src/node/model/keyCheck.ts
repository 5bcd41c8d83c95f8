import { ModelError } from "../../core/errors.js";
import { oddCharacter } from "../../core/models/oddCharacter.js";
import { shownAddress } from "./modelErrors.js";
import type { ServerAccess } from "./serverOptions.js";

/**
 * Throws a `ModelError` for a key that no request can carry. Keys of earlier versions, and those of the environment,
 * have not been looked at when they were set.
 */
export function checkKey(options: ServerAccess): void {
  const odd = oddCharacter(options.apiKey ?? "");
  if (odd === undefined) return;
  throw new ModelError(
    "unconfigured",
    "Character {place} of the API key for {address} is {character}, which no key contains. Set it once more, copied as plain text.",
    { ...odd, address: shownAddress(options) },
  );
}
