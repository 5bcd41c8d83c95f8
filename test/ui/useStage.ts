import { Stage, type StageOptions } from "./stage.js";

/** Opens a stage for the tests around, and keeps what shows why when one of them fails. */
export function useStage(
  options: StageOptions,
  onOpen: (stage: Stage) => Promise<void> | void,
): void {
  useStageOf(() => Stage.open(options), onOpen);
}

/** As {@link useStage}, for a stage whose options are known only when the tests begin. */
export function useStageOf(
  open: () => Promise<Stage>,
  onOpen: (stage: Stage) => Promise<void> | void,
): void {
  let stage: Stage;
  let isOpen = false;
  before(async function () {
    stage = await open();
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
