const longestTitle = 60;

/** The name of an app that the owner gives this title: `Gitea & Co.` becomes `gitea-co`. `fault` is a sentence. */
export function ownAppNameOf(title: string): { name: string } | { fault: string } {
  if (title.trim().length > longestTitle) return { fault: `the name has more than ${longestTitle} characters` };
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return name === '' ? { fault: 'the name needs a letter from a to z or a digit, such as in My Notes' } : { name };
}

type Named = { manifest: { version: string } | null };

/** The version of an app that replaces these, so that those that are installed get an update: `1`, then `2`. */
export function nextVersion(before: readonly Named[]): string {
  const versions = before.map(({ manifest }) => Number.parseInt(manifest?.version ?? '0', 10) || 0);
  return String(Math.max(0, ...versions) + 1);
}
