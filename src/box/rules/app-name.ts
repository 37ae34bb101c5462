const appName = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Whether a directory with this name can hold an app: Compose's own rule for project names.
 * choice/box/28
 */
export function isAppName(name: string): boolean {
  return appName.test(name);
}

/**
 * Why a directory of this name is shown as broken, whatever it holds.
 * choice/box/32
 */
export function appNameFault(name: string): string {
  const found = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return `directory name: expected at most 63 lower-case letters, digits, "-" and "_", the first a letter or digit; found ${JSON.stringify(found)}`;
}
