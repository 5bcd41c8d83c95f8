/** Which of a job's documents a file's name says that it is; `undefined`: none of them. */
export function jobDocumentKind(path: string): "job" | "log" | undefined {
  const ending = /\.(job|task|log)\.md$/.exec(path)?.[1];
  return ending === "log" ? "log" : ending === undefined ? undefined : "job";
}
