import { type Rule as Entry, readRegister, type Service } from '../../spec/register.ts';

/** A rule of `spec/box.md` or `spec/gateway.md` (must), or of `spec/choices.md` (choice). */
export type Rule = Entry;
export type Level = 'must' | 'choice';

/** All rules of a service by id, without notes, which state nothing to check. */
export function readRules(service: Service): Map<string, Rule> {
  const rules = readRegister(service).filter((rule) => rule.level !== 'note');
  return new Map(rules.map((rule) => [rule.id, rule]));
}
