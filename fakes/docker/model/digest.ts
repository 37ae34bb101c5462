/** 64 hexadecimal digits that follow from the text alone. */
export function hex(text: string): string {
  // Loaded when first needed: a listing of containers, the call that is made most, never does.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
