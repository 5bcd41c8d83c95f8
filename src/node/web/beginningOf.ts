/** Returns the beginning of a response's body as text, and ends the response where it is longer. */
export async function beginningOf(response: Response, mostBytes: number): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; reader !== undefined && bytes < mostBytes;) {
    const { value } = await reader.read();
    if (value === undefined) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}
