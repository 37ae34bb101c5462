import { asRecord } from '../../rules/compose/fields.ts';
import { namesSecret } from '../../rules/dotenv/placeholder.ts';
import { addSetting, type Draft, type StoreSetting } from '../../rules/translate/draft.ts';
import { environmentEntries, type StoreService } from '../../rules/translate/store-services.ts';

/** `$$`, `$NAME`, `${NAME}`, and `${NAME` with an operator and a plain operand; the brace is missing after any other. */
const variable = /\$(?:\$|([a-z_]\w*)|\{([a-z_]\w*)(?:(:?[-?+])([^${}]*))?(\})?)/gi;

/** A secret that only programs of the app tell each other, so that any text will do. */
const isMadeHere = /pass|pwd|secret|salt|encrypt|jwt|sign/i;
const isOfOthers = /api|smtp|mail|client|oauth|oidc|token|bucket|aws|s3/i;

/** Names of the app's own address, and presets in its place. `OLLAMA_BASE_URL` and the like are those of others. */
const isOwnAddress = /(?:^|_)(?:root|public|external|site)_url$|^base_url$/i;
const isAnyAddress = /^(?:https?:\/\/localhost(?::\d+)?\/?)?$/;

/** Makes each variable of the services a setting, which begins with the variable's preset in the file. */
export function addVariables(draft: Draft, services: readonly StoreService[]): void {
  for (const { service } of services) {
    for (const [key, value] of environmentEntries(service.environment)) {
      if (value === null) addVariable(draft, key, '', null);
    }
    // Compose refuses a file in which one of these has a blank.
    const { image, ports, volumes } = service;
    forEachVariable([image, ports, volumes], (name, operator, operand) =>
      addVariable(draft, name, operator || '?', operand),
    );
  }
  forEachVariable(services, (name, operator, operand) => addVariable(draft, name, operator, operand));
}

/** @param found - gets an operand that holds further variables as `null` */
function forEachVariable(
  value: unknown,
  found: (name: string, operator: string, operand: string | null) => void,
): void {
  forEachText(value, (text) => {
    for (const [, bare, braced, operator = '', operand = '', end] of text.matchAll(variable)) {
      const name = bare ?? braced;
      if (name !== undefined) found(name, operator, end === undefined ? null : operand);
    }
  });
}

function addVariable(draft: Draft, name: string, operator: string, operand: string | null): void {
  if (draft.settings.has(name)) return;
  const own = settingOf(name, operator, operand);
  addSetting(draft, name, { ...own, ...draft.known.get(name), ...(own.default && { default: own.default }) });
}

/** @param operand - `null` for one that holds further variables */
function settingOf(name: string, operator: string, operand: string | null): Partial<StoreSetting> {
  const isOptional = /[-+]/.test(operator);
  const preset = operator.endsWith('-') ? operand || null : null;
  const required = operator.endsWith('?');
  if (!namesSecret(name)) {
    const type = preset !== null && /^\d{1,5}$/.test(preset) ? 'number' : 'text';
    const isOwn = isOwnAddress.test(name) && isAnyAddress.test(preset ?? '');
    return {
      ...{ type, default: preset, required },
      ...(isOptional && { advanced: true }),
      ...(isOwn && { address: 'url' }),
    };
  }
  const isLeftOpen = isOptional && preset === null;
  if (isMadeHere.test(name) && !isOfOthers.test(name) && !isLeftOpen) {
    return { type: 'password', generate: { length: 32, encoding: 'hex' } };
  }
  return { type: 'password', default: preset, required, ...(isOptional && { advanced: true }) };
}

function forEachText(value: unknown, found: (text: string) => void): void {
  if (typeof value === 'string') found(value);
  else if (Array.isArray(value)) for (const one of value) forEachText(one, found);
  else for (const one of Object.values(asRecord(value))) forEachText(one, found);
}
