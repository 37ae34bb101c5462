/** Like `Promise.all` over `work`, at most `width` at a time. A failure is thrown once nothing of it runs any more. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  const workers = Array.from({ length: width }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results;
}
