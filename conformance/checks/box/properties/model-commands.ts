import fc from 'fast-check';
import { type Command, placeholder } from './box-model.ts';

const app = fc.constantFrom('atoll', 'brine', 'cove');
const anyApp = fc.oneof({ weight: 19, arbitrary: app }, { weight: 1, arbitrary: fc.constant('nobody') });
/** The prefix of every submitted password. */
export const keyOfVault = 'k3y-of-the-vault';
const keys = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(`${keyOfVault}-1`, `${keyOfVault}-2`, `${keyOfVault}-3`) },
  { weight: 1, arbitrary: fc.constant(placeholder) },
);
const settings = fc.record(
  {
    GREETING: fc.constantFrom('hello', 'two words', 'a#b', '= ü', null),
    SEATS: fc.constantFrom('5', 12),
    VAULT_KEY: keys,
    NICK: fc.constantFrom('nick', ''),
  },
  { requiredKeys: [] },
);
const act = <A extends Command['act']>(...acts: A[]) => fc.constantFrom(...acts);
const edit = fc.record({
  act: act('edit env'),
  app,
  key: fc.constantFrom('GREETING', 'VAULT_KEY', 'OWNED'),
  value: fc.constantFrom('by hand', 'mended'),
});
/** Commands that have more consequences are more frequent. */
export const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: act('install'), app: anyApp, settings }) },
  { weight: 6, arbitrary: fc.record({ act: act('change'), app: anyApp, settings }) },
  { weight: 4, arbitrary: fc.record({ act: act('update'), app: anyApp, newer: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: act('remove'), app: anyApp }) },
  { weight: 1, arbitrary: fc.record({ act: act('restart') }) },
  { weight: 3, arbitrary: edit },
  { weight: 3, arbitrary: fc.record({ act: act('break compose'), app }) },
  { weight: 1, arbitrary: fc.record({ act: act('break manifest'), app }) },
  { weight: 2, arbitrary: fc.record({ act: act('new release'), app }) },
  { weight: 2, arbitrary: fc.record({ act: act('delete container', 'delete folder'), app }) },
) as fc.Arbitrary<Command>;
