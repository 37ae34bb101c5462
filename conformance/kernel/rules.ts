import { type Rule as Entry, readRegister, type Service } from '../../spec/register.ts';

/** A rule of `spec/box.md` or `spec/gateway.md` (must), of `spec/shoulds.md` or of `spec/choices.md`. */
export type Rule = Entry;
export const levels = ['must', 'should', 'choice'] as const;
export type Level = (typeof levels)[number];

/** All rules of a service by id, without notes, which state nothing to check. */
export function readRules(service: Service): Map<string, Rule> {
  const rules = readRegister(service).filter((rule) => rule.level !== 'note');
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** The level of a rule, which its id says. */
export function levelOfRule(id: string): Level {
  const [kind] = id.split('/');
  return kind === 'should' || kind === 'choice' ? kind : 'must';
}
