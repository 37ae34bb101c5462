import { counted } from '../text/amounts.ts';

/** `off`: it is not in use, as the owner may want it. `unknown`: it could not be found out. */
export type Verdict = 'ok' | 'off' | 'problem' | 'unknown';

export type Finding = { about: string; verdict: Verdict; text: string };

const finding =
  (verdict: Verdict) =>
  (about: string, text: string): Finding => ({ about, verdict, text });
export const ok = finding('ok');
export const off = finding('off');
export const problem = finding('problem');
export const unknown = finding('unknown');

export function findingLines(findings: readonly Finding[]): string[] {
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const problems = count('problem');
  const unknowns = count('unknown');
  const end = [problems === 0 ? 'no problem' : counted(problems, 'problem')];
  if (unknowns > 0) end.push(`${unknowns} unknown`);
  return [
    ...findings.map(({ about, verdict, text }) => `${verdict.padEnd(7)}  ${about}: ${text}`),
    `looked at ${counted(findings.length, 'thing')}: ${end.join(', ')}`,
  ];
}
