import { AssertionError } from "node:assert";

/**
 * Calls what a test scripted for a fake, and returns what it returns. The product handles what a model or a command
 * throws, so a failed assertion of a script would go unseen: it is rejected a second time, unhandled, and fails the
 * test that runs.
 */
export async function scripted<T>(script: () => T | Promise<T>): Promise<T> {
  try {
    return await script();
  } catch (error) {
    if (error instanceof AssertionError) void Promise.reject(error);
    throw error;
  }
}
