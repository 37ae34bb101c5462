import { type Rule as Entry, readRegister, type Service } from '../../spec/register.ts';

/**
 * A statement of the register that can be checked: `spec/box.md` and `spec/gateway.md` have the musts,
 * `spec/choices.md` the choices.
 */
export type Rule = Entry;
export type Level = 'must' | 'choice';

/** Every rule of a service that can be checked, by id; notes state nothing to check and are left out. */
export function readRules(service: Service): Map<string, Rule> {
  const rules = readRegister(service).filter((rule) => rule.level !== 'note');
  return new Map(rules.map((rule) => [rule.id, rule]));
}
