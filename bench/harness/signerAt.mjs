import { compiled } from "./compiled.mjs";
import { scratch } from "./scratch.mjs";

/** @type {Promise<string> | undefined} */
let home;

/**
 * Signs as the product does, with a key in a folder of the bench's own.
 *
 * @param {string} root The workspace.
 */
export async function signerAt(root) {
  const { InstallationKey } = await compiled("node/user/installationKey");
  return new InstallationKey(await (home ??= scratch()), root);
}
