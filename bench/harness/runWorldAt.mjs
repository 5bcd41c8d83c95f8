import { compiled } from "./compiled.mjs";
import { worldAt } from "./worldAt.mjs";

// Drawing is not what is measured.
const drawing = '<svg class="marks" width="10" height="10" viewBox="0 0 10 10"></svg>';

/**
 * Makes what a run works with in a folder, with a model of the caller's.
 *
 * @param {string} root
 * @param {object} model
 */
export async function runWorldAt(root, model) {
  const [{ RunStore }, { RunLayout }] = await Promise.all(
    ["core/runs/documents/runStore", "core/runs/documents/runLayout"].map(compiled),
  );
  const world = await worldAt(root, model, {
    preset: "safe",
    charts: { svg: async () => drawing },
  });
  const store = new RunStore(world.files, world.lock, new RunLayout(""));
  return { store, world: { ...world, say: () => {} } };
}
