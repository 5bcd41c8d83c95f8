import assert from "node:assert/strict";
import { ExtensionStage, type ExtensionStageOptions } from "./extensionStage.js";

/** Opens a stage for the tests around. None of them may leave an answer that nobody has asked for. */
export function useExtensionStage(
  options: ExtensionStageOptions,
  onOpen: (stage: ExtensionStage) => Promise<void> | void,
): void {
  let stage: ExtensionStage;
  before(async () => {
    stage = await ExtensionStage.open(options);
    await onOpen(stage);
  });
  afterEach(() => {
    const { person } = stage;
    const left = [...person.left];
    person.forget();
    person.leave();
    assert.deepEqual(left, [], "what the person was to do, and was not asked for");
  });
  after(() => stage.close());
}
