import { isBroken } from '../run/result.ts';
import { escapeHtml } from './markup.ts';
import type { Report } from './report.ts';

/** An SVG image for a README: the suite, and how many musts pass or which levels have failures. Loads nothing. */
export function badge({ suite, checks }: Pick<Report, 'suite' | 'checks'>): string {
  const { text, colour } = verdict(checks);
  const [left, right] = [widthOf(suite), widthOf(text)];
  const title = escapeHtml(`${suite}: ${text}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${label(suite, left / 2, left)}
${label(text, left + right / 2, right)}
</g>
</svg>
`;
}

/** White text has a contrast of at least 4.5 on these. */
const colours = { must: '#b3261e', should: '#8a5a00', none: '#1e7a34' };

function verdict(checks: readonly Pick<Report['checks'][number], 'level' | 'outcome'>[]) {
  const failed = (['must', 'should'] as const).flatMap((level) => {
    const { length } = checks.filter((one) => one.level === level && isBroken(one));
    return length === 0 ? [] : [{ level, text: `${counted(length, level)} ${length === 1 ? 'fails' : 'fail'}` }];
  });
  const passed = (['must', 'should'] as const).flatMap((level) => {
    const { length } = checks.filter((one) => one.level === level && one.outcome === 'pass');
    return length === 0 ? [] : [counted(length, level)];
  });
  const [worst] = failed;
  if (worst !== undefined) return { text: failed.map(({ text }) => text).join(', '), colour: colours[worst.level] };
  return passed.length === 0
    ? { text: 'nothing passes', colour: colours.must }
    : { text: `${passed.join(', ')} pass`, colour: colours.none };
}

const counted = (count: number, level: string) => `${count} ${level}${count === 1 ? '' : 's'}`;

const padding = 12;

/** A guess, because fonts differ. `textLength` fits the text to it. */
const widthOf = (text: string) => Math.ceil(text.length * 6.6) + padding;

const label = (text: string, x: number, width: number) =>
  `<text x="${x}" y="14" textLength="${width - padding}">${escapeHtml(text)}</text>`;
