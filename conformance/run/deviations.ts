/** Parses a deviations file, which lists the checks that an implementation is known to fail: `id: reason` per line. */
export function parseDeviations(text: string): Map<string, string> {
  const deviations = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/(^|\s)#.*$/, '').trim();
    if (content === '') continue;
    const [, id, reason] = /^(\S+):\s+(\S.*)$/.exec(content) ?? [];
    if (id === undefined || reason === undefined) {
      throw new Error(`deviations line ${index + 1}: expected "id: reason", found "${line}"`);
    }
    deviations.set(id, reason);
  }
  return deviations;
}
