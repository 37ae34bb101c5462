export function hex(text: string): string {
  // Loaded lazily: `docker ps`, the most frequent call, does not need it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
