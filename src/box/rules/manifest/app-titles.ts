/**
 * The titles that people see, by app: that of the manifest, and with the app's name where two apps share it. The page
 * has the same rule.
 */
export function appTitles(apps: readonly { name: string; title: string }[]): Map<string, string> {
  const sameTitle = Map.groupBy(apps, ({ title }) => title.toLowerCase());
  return new Map(
    apps.map(({ name, title }) => {
      const isShared = (sameTitle.get(title.toLowerCase()) ?? []).some((one) => one.name !== name);
      return [name, isShared && title !== name ? `${title} (${name})` : title];
    }),
  );
}
