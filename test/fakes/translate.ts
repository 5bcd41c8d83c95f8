/** Fills the placeholders of a message, as `vscode.l10n.t` does without a translation. */
export function translate(message: string, ...values: (string | number)[]): string {
  return message.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
}
