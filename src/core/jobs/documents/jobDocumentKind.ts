/** Tells from a file's name which of a job's documents it is; `undefined` for any other file. */
export function jobDocumentKind(path: string): "job" | "log" | undefined {
  const ending = /\.(job|task|log)\.md$/.exec(path)?.[1];
  return ending === "log" ? "log" : ending === undefined ? undefined : "job";
}
