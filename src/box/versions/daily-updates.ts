import type { VersionsBox } from './ports.ts';

/** Turns the daily updates on or off. */
export async function setAppUpdates(
  box: VersionsBox,
  wanted: { isEnabled: boolean; minAgeHours: number | null },
): Promise<void> {
  const { timer, known } = box.versions;
  await (wanted.isEnabled ? timer.enable() : timer.disable());
  await known.change((before) => ({
    ...before,
    isEnabled: wanted.isEnabled,
    minAgeHours: wanted.minAgeHours ?? before.minAgeHours,
  }));
}
