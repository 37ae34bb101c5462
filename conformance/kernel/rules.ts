import { type Rule as Entry, readRegister, type Service } from '../../spec/register.ts';

/** A rule of `spec/box.md` or `spec/gateway.md` (must), or of `spec/choices.md` (should or choice). */
export type Rule = Entry;
export const levels = ['must', 'should', 'choice'] as const;
export type Level = (typeof levels)[number];

/** All rules of a service by id, without notes, which state nothing to check. */
export function readRules(service: Service): Map<string, Rule> {
  const rules = readRegister(service).filter((rule) => rule.level !== 'note');
  return new Map(rules.map((rule) => [rule.id, rule]));
}

let shoulds: Set<string> | null = null;

/** The level of a rule, by its id. */
export function levelOfRule(id: string): Level {
  if (!id.startsWith('choice/')) return 'must';
  shoulds ??= new Set(
    [...readRegister('box'), ...readRegister('gateway')].flatMap((rule) => (rule.level === 'should' ? rule.id : [])),
  );
  return shoulds.has(id) ? 'should' : 'choice';
}
