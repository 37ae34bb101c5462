import type { BoxEnvironment } from '../../../fakes/box-environment.ts';
import type { Fixture } from '../../kernel/check.ts';

import type { BoxContext } from './context.ts';

/** Settings with names and values that no implementation would hard-code. */
export const settings = {
  text: {
    name: 'GREETING',
    label: 'Greeting',
    description: 'Said to guests',
    type: 'string',
    required: true,
    default: 'ahoy',
  },
  number: { name: 'SEATS', label: 'Seats', description: 'How many fit', type: 'number', required: false, default: '7' },
  password: {
    name: 'VAULT_KEY',
    label: 'Key',
    description: 'Opens the vault',
    type: 'password',
    required: true,
    default: null,
  },
  bare: { name: 'NICK', label: 'Nick', description: '', type: 'text', required: false, default: null },
};

/** A complete manifest in which the given fields are replaced. */
export function manifest(name: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name,
    display_name: `Shown ${name}`,
    version: '4.5.6-rc.7',
    description: `Short about ${name}`,
    description_long: `Long about ${name}: ünïcode, "quotes", <tags>`,
    ports: [],
    icon: '',
    settings: [],
    ...fields,
  };
}

export const allSettings = [settings.text, settings.number, settings.password, settings.bare];

/**
 * Settings with these names that accept any text. A must-check declares the settings that it submits, because an
 * installer may refuse undeclared ones (this box does not, choice/box/88).
 */
export const declared = (...names: string[]) =>
  names.map((name) => ({ ...settings.bare, name, label: `Field ${name}` }));

/** A Compose file with one service, `web`, that keeps running. `more` is appended. */
export const composeOf = (image: string, more = '') =>
  `services:\n  web:\n    image: ${image}\n    restart: unless-stopped\n${more}`;

/** Puts simple apps into the installed-apps directory. */
export function placeInstalled(box: BoxContext, ...names: string[]): void {
  for (const name of names) box.environment.placeInstalled({ name, manifest: manifest(name) });
}

/** The shared fixture of read-only checks. */
export const library: Fixture<BoxEnvironment> = {
  name: 'library',
  prepare: (environment) => {
    const icon = '<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
    const full = { ports: [18231, 9], icon: 'icon.svg', settings: allSettings };
    environment.bundle({
      name: 'beacon',
      manifest: manifest('beacon', full),
      icon,
      envExample: 'GREETING=from the example\nSEATS=11\nVAULT_KEY=example-key\n',
    });
    environment.bundle({ name: 'atlas', manifest: manifest('atlas', { settings: allSettings }) });
    environment.bundle({ name: 'zephyr', manifest: manifest('zephyr') });
    environment.bundle({ name: 'unlabelled', manifest: null });
    environment.bundle({ name: 'torn', manifest: '{"name": "torn", "version": ' });
    const newer = { version: '9.9.9', display_name: 'Newer cairn', settings: [settings.bare] };
    environment.bundle({ name: 'cairn', manifest: manifest('cairn', newer) });
    environment.bundle({ name: 'dusk', manifest: manifest('dusk', { settings: allSettings }) });
    environment.placeInstalled({
      name: 'cairn',
      manifest: manifest('cairn', { ...full, version: '1.0.0' }),
      icon,
      env: 'GREETING=hello there\nVAULT_KEY=k3y-that-stays-here\n',
    });
    environment.placeInstalled({ name: 'dusk', manifest: 'no JSON at all', env: 'GREETING=x\n' });
    environment.placeInstalled({ name: 'hollow', manifest: null, compose: null });
    environment.placeInstalled({ name: 'ember', manifest: manifest('ember') });
  },
};
