/** What a person is told, once, of a model that cannot call tools. */
export function withoutTools(model: string): string {
  return `The model ${model} has no tool calling, so it is talked to in envelopes (plain JSON) from here on.`;
}
