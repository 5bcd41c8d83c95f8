export interface TestFile {
  /** The path that a person knows it by. */
  readonly name: string;
  readonly load: () => Promise<unknown>;
}

export interface RunOptions {
  /**
   * They are loaded one after the other. One that cannot be loaded, or that has a hook outside of every `describe`, has failed,
   * and the others run.
   */
  readonly files: readonly TestFile[];
  /** The time limit of a test, in milliseconds. */
  readonly timeout: number;
  /** Whether a rejection that nobody handles is a fault of what is tested. Default: each is. */
  readonly isOurs?: (reason: unknown) => boolean;
}

/**
 * Runs tests in this process, and prints failures as they come. Resolves when the last test has ended, with what was
 * printed; what comes afterwards, as a rejection that nobody handles, is added to that array.
 *
 * The environment may have
 * - ROOROO_TEST_RESULT: a file to which each step is added as a line of JSON, so that one who reads it knows where a process
 *   was that died; see `readResult.mjs`;
 * - ROOROO_TEST_ONLY: a part of the full titles of those tests that are to run;
 * - ROOROO_TEST_ALONE: the title of the outermost group that is to run; empty: all of them.
 */
export function runMocha(options: RunOptions): Promise<string[]>;
