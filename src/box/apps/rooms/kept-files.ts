import { shownText } from '../../../lib/shown-text.ts';
import { refuse } from '../../api/refusals.ts';
import { refuseNotInstalled } from '../../app-files/catalogue.ts';
import { maskSecretsIn } from '../../app-files/secrets.ts';
import type { Row } from '../../report.ts';
import type { AppsBox } from '../ports.ts';

export type KeptFile = { kept: string; file: string };

/** Kept files whose difference is shown. */
const mostShown = 20;
const longestDifference = 256 * 1024;

/** The owner's versions of files that an upgrade or a reinstall replaced. */
export function listKeptFiles(box: AppsBox, name: string): KeptFile[] {
  refuseNotInstalled(box, name);
  return box.keptFiles.list(name);
}

/** The difference between a kept file and the one that replaced it, secrets masked. `isWhole`: it is not shortened. */
export async function showKeptFile(
  box: AppsBox,
  name: string,
  kept: string,
): Promise<KeptFile & { difference: string | null; isWhole: boolean }> {
  const pair = listKeptFiles(box, name).find((one) => one.kept === kept);
  if (pair === undefined) refuse('invalidValues', { reason: `the app ${name} has no kept file ${kept}` });
  const found = await box.keptFiles.difference(name, pair);
  const text = found === null ? null : shownText(maskSecretsIn(box, found, name));
  const isWhole = text === null || text.length <= longestDifference;
  return { ...pair, difference: isWhole ? text : text.slice(0, longestDifference).toWellFormed(), isWhole };
}

export async function keptFileRows(box: AppsBox, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { kept } of listKeptFiles(box, name).slice(0, mostShown)) {
    const { file, difference, isWhole } = await showKeptFile(box, name, kept);
    const longer = isWhole ? '' : '\nThe difference is longer than this.';
    const folded = difference === null ? 'The files are no text or too large to compare.' : `${difference}${longer}`;
    rows.push({ text: `${kept}: yours; ${file} is the new one`, folded });
  }
  return rows;
}
