/**
 * Runs the suites that `mocha` holds. Prints failures as they come, and resolves with what was printed.
 * If the environment's ROOROO_TEST_RESULT names a file, what was run is written there at the end,
 * and only at the end: a run that crashes leaves none.
 */
export function runMocha(mocha: Mocha): Promise<string[]>;
