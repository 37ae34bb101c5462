import { isJsonObject, parseJson } from '../../../lib/json.ts';

/** A newer version of an app: that of the catalogue, or the image behind a tag. `to` is a version or a digest. */
export type Newer = { what: 'catalogue' | 'image'; of: string; to: string };
/** `since`: when the box saw it first; `failedAt`: when an update to it was rolled back. */
export type KnownNewer = Newer & { since: string; failedAt?: string };

export type KnownVersions = {
  lookedAt: string | null;
  /** By app; without those that have none. */
  apps: Readonly<Record<string, readonly KnownNewer[]>>;
  /** Images whose registry could not be asked, with the reason. */
  problems: readonly { image: string; reason: string }[];
  /** Whether the timer updates apps, and how old a newer version has to be for that. */
  isEnabled: boolean;
  minAgeHours: number;
};

export const nothingKnown: KnownVersions = {
  lookedAt: null,
  apps: {},
  problems: [],
  isEnabled: false,
  minAgeHours: 72,
};

const hourMs = 60 * 60 * 1000;

/** What is known after a look. What was known before keeps its time; what could not be asked stays known. */
export function afterLook(
  before: KnownVersions,
  seen: ReadonlyMap<string, readonly Newer[]>,
  problems: KnownVersions['problems'],
  now: Date,
): KnownVersions {
  const lookedAt = now.toISOString();
  const unasked = new Set(problems.map(({ image }) => image));
  const apps = [...seen].map(([app, newer]) => {
    const known = before.apps[app] ?? [];
    const knownAs = ({ what, of, to }: Newer) =>
      known.find((one) => one.what === what && one.of === of && one.to === to);
    const kept = known.filter(({ what, of }) => what === 'image' && unasked.has(of));
    return [app, [...newer.map((one) => knownAs(one) ?? { ...one, since: lookedAt }), ...kept]] as const;
  });
  return { ...before, lookedAt, problems, apps: Object.fromEntries(apps.filter(([, newer]) => newer.length > 0)) };
}

/** What an update of the app would bring: the version of the catalogue, or else newer images. */
export function broughtByUpdate(newer: readonly KnownNewer[]): KnownNewer[] {
  const ofCatalogue = newer.filter(({ what }) => what === 'catalogue');
  return ofCatalogue.length > 0 ? ofCatalogue : [...newer];
}

/** Whether everything that an update would bring has been known for long enough. */
export function isOldEnough(newer: readonly KnownNewer[], minAgeHours: number, now: Date): boolean {
  const brought = broughtByUpdate(newer);
  return brought.length > 0 && brought.every(({ since }) => now.getTime() - Date.parse(since) >= minAgeHours * hourMs);
}

/** What is known after an update of an app was rolled back. */
export function afterFailure(before: KnownVersions, app: string, now: Date): KnownVersions {
  const known = before.apps[app] ?? [];
  const brought = new Set(broughtByUpdate(known));
  if (brought.size === 0) return before;
  const failedAt = now.toISOString();
  const newer = known.map((one) => (brought.has(one) ? { ...one, failedAt } : one));
  return { ...before, apps: { ...before.apps, [app]: newer } };
}

/** When an update to all of this was rolled back last; `null` if something of it was not tried yet. */
export function failureOf(newer: readonly KnownNewer[]): string | null {
  const failures = broughtByUpdate(newer).map(({ failedAt }) => failedAt);
  return failures.includes(undefined) ? null : (failures.toSorted().at(-1) ?? null);
}

export function parseKnown(text: string): KnownVersions {
  const content = parseJson(text);
  if (!isJsonObject(content)) return nothingKnown;
  const { lookedAt, apps, problems, isEnabled, minAgeHours } = content;
  return {
    lookedAt: typeof lookedAt === 'string' ? lookedAt : null,
    apps: isJsonObject(apps) ? Object.fromEntries(Object.entries(apps).filter(isEntry)) : {},
    problems: Array.isArray(problems) ? problems.filter(isProblem) : [],
    isEnabled: isEnabled === true,
    minAgeHours: typeof minAgeHours === 'number' ? minAgeHours : nothingKnown.minAgeHours,
  };
}

function isEntry(entry: [string, unknown]): entry is [string, KnownNewer[]] {
  return Array.isArray(entry[1]) && entry[1].every((one) => isTexts(one, ['what', 'of', 'to', 'since']));
}

function isProblem(value: unknown): value is KnownVersions['problems'][number] {
  return isTexts(value, ['image', 'reason']);
}

function isTexts(value: unknown, fields: readonly string[]): boolean {
  return isJsonObject(value) && fields.every((field) => typeof value[field] === 'string');
}
