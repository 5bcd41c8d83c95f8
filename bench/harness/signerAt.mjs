import { compiled } from "./compiled.mjs";
import { scratch } from "./scratch.mjs";

/** @type {Promise<string> | undefined} */
let home;

/** The folder with the key with which {@link signerAt} signs. */
export function benchHome() {
  return (home ??= scratch());
}

/**
 * Signs as the product does, with a key in a folder of the bench's own.
 *
 * @param {string} root The workspace.
 */
export async function signerAt(root) {
  const { InstallationKey } = await compiled("node/user/installationKey");
  return new InstallationKey(await benchHome(), root);
}
