import { Stage, type StageOptions } from "./stage.js";

/** Opens a stage for the tests around, and keeps what shows why when one of them fails. */
export function useStage(
  options: StageOptions,
  onOpen: (stage: Stage) => Promise<void> | void,
): void {
  let stage: Stage;
  let isOpen = false;
  before(async function () {
    stage = await Stage.open(options);
    isOpen = true;
    await stage.beginTrace();
    try {
      await onOpen(stage);
    } catch (error) {
      // Mocha calls no `afterEach` after this.
      await stage.keep(this.test?.fullTitle() ?? "before");
      throw error;
    }
    await stage.keepIfFailed(undefined);
  });
  after(async () => {
    if (isOpen) await stage.close();
  });
  beforeEach(() => stage.beginTrace());
  afterEach(async function () {
    await stage.keepIfFailed(this.currentTest);
  });
}
