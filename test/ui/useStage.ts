import { Stage, type StageOptions } from "./stage.js";

/** Opens a stage for the tests around, and takes a picture of it when one of them fails. */
export function useStage(
  options: StageOptions,
  onOpen: (stage: Stage) => Promise<void> | void,
): void {
  let stage: Stage;
  before(async () => {
    stage = await Stage.open(options);
    await onOpen(stage);
  });
  after(async () => {
    await stage.close();
  });
  afterEach(async function () {
    await stage.screenshotIfFailed(this.currentTest);
  });
}
