type Env = { file: string; text: string };

/**
 * What to tell of variables that nothing sets: the names, and texts about values in which a `$` was probably meant as
 * such, as in a hash of a password. The variables there, and in a `.env`, are parts of secrets and not named.
 */
export function unsetBySense(
  unset: readonly string[],
  { documents, env, isSecret }: { documents: readonly unknown[]; env: Env; isSecret: (key: string) => boolean },
): { names: string[]; texts: string[] } {
  const dollars = new Set<string>();
  const isUnset = new Set(unset);
  const parts = new Set<string>();
  const walk = (value: unknown, path: string, key: string) => {
    if (typeof value === 'string') {
      const [own, text] = ofEntry(value, key);
      const found = namesIn(text, isSecret(own)).filter((name) => isUnset.has(name));
      if (found.length > 0) dollars.add(own === key ? path : `${path.slice(0, -key.length)}${own}`);
      for (const name of found) parts.add(name);
    } else if (typeof value === 'object' && value !== null) {
      for (const [next, one] of Object.entries(value)) walk(one, path === '' ? next : `${path}.${next}`, next);
    }
  };
  for (const document of documents) walk(document, '', '');
  let key = '';
  const keys = new Set<string>();
  for (const line of env.text.split('\n').filter((one) => !/^\s*#/.test(one))) {
    key = /^\s*(?:export\s+)?([a-z_]\w*)\s*=/i.exec(line)?.[1] ?? key; // A value may have several lines.
    for (const [, name = ''] of line.matchAll(/\$\{?([a-z_]\w*)/gi)) {
      if (!isUnset.has(name)) continue;
      parts.add(name);
      keys.add(`${key} of ${env.file}`);
    }
  }
  return {
    names: unset.filter((name) => !parts.has(name)),
    texts: [
      ...dollarsText([...dollars], 'write "$$" for each "$" that is meant'),
      ...dollarsText([...keys], 'put the value between single quotes'),
    ],
  };
}

function dollarsText(places: readonly string[], cure: string): string[] {
  if (places.length === 0) return [];
  return [`Compose takes a "$" in ${places.join(', ')} for a variable, which nothing sets: ${cure}`];
}

function ofEntry(text: string, key: string): [key: string, value: string] {
  const [, own, value] = /^\d+$/.test(key) ? (/^([a-z_]\w*)=(.*)$/is.exec(text) ?? []) : [];
  return own === undefined || value === undefined ? [key, text] : [own, value];
}

/** The variables of a text in which a `$` is probably meant as such. */
function namesIn(text: string, isSecret: boolean): string[] {
  const plain = text.replaceAll('$$', '');
  // Hashes begin with their kind between two dollar signs, such as $2b$ or $apr1$.
  const isMeant = isSecret ? !/^\$\w+$/.test(plain) : /\$(?:\w+\$|(?![a-z_{]))/i.test(plain);
  return isMeant ? [...plain.matchAll(/\$([a-z_]\w*)/gi)].map(([, name = '']) => name) : [];
}
