/**
 * The titles that people see, by app: that of the manifest, and with the app's name where two apps share it. The page
 * has the same rule.
 */
export function appTitles(apps: readonly { name: string; title: string }[]): Map<string, string> {
  const sameTitle = Map.groupBy(apps, ({ title }) => title.toLowerCase());
  const titles = [...sameTitle.values()].flatMap((same) => {
    const isShared = new Set(same.map(({ name }) => name)).size > 1;
    return same.map(({ name, title }) => [name, isShared && title !== name ? `${title} (${name})` : title] as const);
  });
  return new Map(titles);
}
