/**
 * Opens a queue on a server that may be just starting, as one does for a moment when it was restarted.
 *
 * @template Queue
 * @param {() => Promise<Queue>} open
 * @param {{ rest: () => Promise<unknown>, tries: number }} how `tries`: after so many it is given up
 * @returns {Promise<Queue>}
 */
export async function openPatiently(open, { rest, tries }) {
  for (let tried = 1; ; tried++) {
    try {
      return await open();
    } catch (error) {
      const isAway =
        error instanceof Error && "code" in error && error.code === "databaseUnreachable";
      if (!isAway || tried === tries) throw error;
    }
    await rest();
  }
}
