type Body = AsyncIterable<Uint8Array> | null;

/** Reads the body of an answer; `null` as soon as it has more than this many bytes. */
export async function boundedBytes(body: Body, mostBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
