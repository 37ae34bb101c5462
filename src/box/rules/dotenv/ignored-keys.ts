/** Keys of Compose that have no effect in an app's `.env`, because the box names the files itself. */
const ignored = ['COMPOSE_FILE', 'COMPOSE_ENV_FILES', 'COMPOSE_DISABLE_ENV_FILE'];

/** A sentence about the keys that have no effect; `null` without one. */
export function ignoredKeysText(values: ReadonlyMap<string, string>, file: string): string | null {
  const found = ignored.filter((key) => values.get(key));
  if (found.length === 0) return null;
  return `${found.join(', ')} in ${file} has no effect: the box uses compose.yaml, its override and .env`;
}
