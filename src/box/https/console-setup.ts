import { refuse } from '../api/refusals.ts';
import type { SetUpBox } from './https-box.ts';
import type { SetUp } from './missing-for-setup.ts';
import {
  AskedWrongly,
  askedIn,
  askedSetting,
  needsPassword,
  passwordProblem,
  withoutFlags,
} from './rules/asked-setting.ts';
import type { HttpsSetting } from './rules/names.ts';

type Fields = Readonly<Record<string, string>>;

/** The setup that the fields of a form ask for. The variables of the settings file come before the fields. */
export function askedSetUp({ https }: Pick<SetUpBox, 'https'>, fields: Fields): SetUp {
  const before = https.setting();
  try {
    const asked = askedIn(textsOf(fields, https.variables, before));
    const setting = askedSetting(asked, before);
    const password = needsPassword(setting) ? (fields.password ?? '') : null;
    const problem = password === null ? null : passwordProblem(password);
    if (problem !== null) throw new AskedWrongly(problem);
    // Without those of before, they have to be typed, unless a file of the owner's has them.
    const isNew = setting.certificate.by === 'dns' && before?.certificate.by !== 'dns';
    const typed = fields.credentials ?? (isNew ? '' : null);
    const credentials = asked.dnsVariables === undefined ? typed : null;
    return { setting, password, isOpen: asked.noLogin ?? false, credentials };
  } catch (error) {
    if (!(error instanceof AskedWrongly)) throw error;
    refuse('httpsRefused', { reason: withoutFlags(error.message) });
  }
}

/** By the names of the variables, without `BOX_HTTPS_`. */
function textsOf(fields: Fields, variables: ReadonlyMap<string, string>, before: HttpsSetting | null) {
  const { certificate, password, ...typed } = fields;
  const texts = new Map(Object.entries(typed));
  if (certificate === 'local') texts.set('local', 'true');
  if (certificate !== 'dns') texts.delete('dns');
  // A form has all apps that are left out; an empty field does not come.
  if (texts.has('close_ports')) texts.set('close_except', texts.get('close_except') ?? '');
  const known = before?.login ?? null;
  const ownName = known !== null && 'name' in known ? known.name : null;
  if (texts.has('login_for')) texts.set('login_except', texts.get('login_except') ?? '');
  if (password !== undefined && ownName !== null) texts.set('login', texts.get('login') ?? ownName);
  for (const [name, text] of variables) texts.set(name.replace('BOX_HTTPS_', '').toLowerCase(), text);
  if (password === undefined && ownName !== null && texts.get('login') === ownName) texts.delete('login');
  // The form of a first setup always asks what a login protects. Without a login, that answer counts for nothing.
  if (before === null && !texts.has('login') && !texts.has('login_file')) {
    if (password !== undefined) throw new AskedWrongly('a login has a name as well as a password');
    texts.delete('login_for');
    texts.delete('login_except');
  }
  return texts;
}
