import { boxApi } from '../checks/box/api.ts';
import { readRules } from '../kernel/rules.ts';
import { unbroken } from './box-faults.ts';
import type { Verdict } from './trial-of-faults.ts';

/** The musts that some check of the suite cites. */
export function checkedMusts(): string[] {
  const cited = new Set(boxApi.checks.flatMap((check) => check.rules));
  return [...readRules('box').values()]
    .filter(({ id, level }) => level === 'must' && cited.has(id))
    .map(({ id }) => id);
}

/** The section of STRENGTH.md: every fault with the checks that noticed it. */
export function boxStrength(verdicts: readonly Verdict[]): string {
  const musts = checkedMusts();
  const killed = new Set(
    verdicts.flatMap(({ killedBy }) => Object.keys(killedBy).filter((id) => killedBy[id]?.length)),
  );
  const covered = musts.filter((id) => killed.has(id));
  const short = (id: string) => id.replace(/^box\//, '');
  const rows = verdicts.map(({ fault, killedBy }) => {
    const checks = [...new Set(Object.values(killedBy).flat())].map(short);
    const cells = [fault.name, fault.does, fault.kills.map(short).join(', '), checks.join(', ')];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const reasons = Object.entries(unbroken).map(([id, reason]) => `- ${id}: ${reason}`);
  return [
    `${verdicts.length} faulty boxes, each our own server with a few characters of its source changed, and all of them`,
    `noticed. Of the ${musts.length} musts that the suite checks, ${covered.length} are broken by a fault that a check of`,
    'that must notices, without the profile. The other musts are for the browser and for unit tests, as spec/box.md',
    'says. The last faults break choices, which are asked for with the profile.',
    '',
    'Written by `npm run faults:box -- --write`. Ids stand without their `box/`.',
    '',
    ...(reasons.length === 0 ? [] : ['No fault of ours breaks:', '', ...reasons, '']),
    '| fault | what it does wrong | what it breaks | noticed by |',
    '| ----- | ------------------ | -------------- | ---------- |',
    ...rows,
    '',
  ].join('\n');
}
