/** The access rules of a published host, and whether the gateway has understood it. */

/** The rules in the form of the gateway's API. */
export type Access = { login?: string; password_hash?: string; allow?: string[]; open_paths?: string[] };

/**
 * The rules of a publication: those that the owner names now, and else those of the publication before. So that no rule
 * is lost by leaving out a flag, only a withdrawal ends it. `undefined` if everybody may open the host.
 */
export function accessOf(before: Access | undefined, named: Access): Access | undefined {
  const access = { ...before, ...named };
  return Object.keys(access).length === 0 ? undefined : access;
}

/** Whether the gateway's answer has the rules. A gateway that does not know them publishes for everybody. */
export function hasAccess({ access: echoed }: { access?: unknown }, access: Access | undefined): boolean {
  return access === undefined || shownAccess(echoed) === shownAccess(access);
}

/** The rules in words, such as `login ada, only from 203.0.113.0/24`; empty without rules. */
export function shownAccess(access: unknown): string {
  if (typeof access !== 'object' || access === null) return '';
  const { login, allow, open_paths: paths } = access as Record<string, unknown>;
  return [
    ...(typeof login === 'string' ? [`login ${login}`] : []),
    ...(Array.isArray(allow) ? [`only from ${allow.join(' ')}`] : []),
    ...(Array.isArray(paths) ? [`without login ${paths.join(' ')}`] : []),
  ].join(', ');
}
