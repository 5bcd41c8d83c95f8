import assert from "node:assert/strict";
import { PanelStage, type PanelStageOptions } from "./panelStage.js";

/**
 * Opens a stage for the tests around. None of them may leave an error in a page, something that its policy had to
 * forbid, or an answer that nobody has asked for.
 */
export function usePanelStage(
  options: PanelStageOptions,
  onOpen: (stage: PanelStage) => Promise<void> | void,
): void {
  let stage: PanelStage;
  before(async () => {
    stage = await PanelStage.open(options);
    await onOpen(stage);
  });
  afterEach(async function () {
    await stage.screenshotIfFailed(this.currentTest);
    const { complaints, person } = stage;
    const [errors, left] = [[...complaints], [...person.left]];
    complaints.length = 0;
    person.forget();
    person.leave();
    assert.deepEqual(errors, [], "errors in the page");
    assert.deepEqual(left, [], "what the person was to do, and was not asked for");
  });
  after(() => stage.close());
}
