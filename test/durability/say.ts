/** Prints a figure beside the results: how much was tried. */
export function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}
