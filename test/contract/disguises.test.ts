import { nothingRunsUnasked } from "../unit/core/commands/nothingRunsUnasked.js";

describe("dangerous commands in more disguises than the unit tests try", () => {
  for (const seed of [20_262, 20_263, 20_264]) nothingRunsUnasked(seed);
});
