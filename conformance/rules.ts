import { type Rule as Entry, readRegister } from '../spec/register.ts';

/** A statement of the register that can be checked: `spec/box.md` has the musts, `spec/choices.md` the choices. */
export type Rule = Entry;
export type Level = 'must' | 'choice';

/** Every rule that can be checked, by id; notes state nothing to check and are left out. */
export function readRules(): Map<string, Rule> {
  const rules = readRegister('box').filter((rule) => rule.level !== 'note');
  return new Map(rules.map((rule) => [rule.id, rule]));
}
