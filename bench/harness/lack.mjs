/**
 * Brings what a measurement needs, as the tests do. Returns what is lacking, in a person's words, where that is not possible
 * here.
 *
 * @param {Record<string, () => Promise<unknown>>} needs by the names of what they bring
 * @returns {Promise<string | undefined>}
 */
export async function lack(needs) {
  for (const [name, bring] of Object.entries(needs)) {
    try {
      await bring();
    } catch (error) {
      const [why] = (error instanceof Error ? error.message : String(error)).split("\n");
      return `it needs ${name}, which is not here (${why})`;
    }
  }
  return undefined;
}
