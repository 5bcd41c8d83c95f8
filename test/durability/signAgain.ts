import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Signer } from "../../src/core/ports/system.js";
import { SignatureChain } from "../../src/core/provenance/signatureChain.js";
import { isSigned, signJson, withoutSignature } from "../../src/core/provenance/signedJson.js";

/**
 * Makes a copy of a workspace one that was written where the copy is: what is signed for the old place
 * is signed for the new one, and nothing else, so that a torn line stays torn.
 *
 * @param home the person's own folder, with the key; none yet: nothing is signed
 * @param from the workspace's place when it was written
 */
export async function signAgain(root: string, home: string, from: string): Promise<void> {
  const keyPath = join(home, "key");
  if (!existsSync(keyPath)) return;
  const key = Buffer.from((await readFile(keyPath, "utf8")).trim(), "hex");
  const [before, now] = [signerOf(key, from), signerOf(key, root)];
  for (const name of await readdir(join(root, ".rooroo"), { recursive: true })) {
    if (!/\.(json|jsonl|active)$/.test(name)) continue;
    const path = `.rooroo/${name.split(sep).join("/")}`;
    const text = await readFile(join(root, path), "utf8");
    await writeFile(join(root, path), again(path, text, before, now));
  }
}

function again(path: string, text: string, before: Signer, now: Signer): string {
  const one = (part: string): string =>
    isSigned(part, path, before) ? signJson(withoutSignature(part), path, now) : part;
  if (!path.endsWith(".jsonl")) return one(text);
  const lines = text.split("\n");
  if (!path.endsWith("transcript.jsonl")) return lines.map(one).join("\n");
  const [known, chain] = [new SignatureChain(path, before), new SignatureChain(path, now)];
  return lines
    .map((line) => {
      if (known.accept(line) !== "next") return line;
      const [signed = line] = chain.sign([withoutSignature(line)]);
      chain.accept(signed);
      return signed;
    })
    .join("\n");
}

/** Returns a signer like `InstallationKey`, for a workspace that need not be there any more. */
function signerOf(key: Buffer, workspace: string): Signer {
  return {
    sign: (subject, text) =>
      createHmac("sha256", key)
        .update(`${workspace}\0${subject}\0`)
        .update(text)
        .digest("base64url")
        .slice(0, 22),
  };
}
