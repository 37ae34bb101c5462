import { declared, manifest, settings } from './apps.ts';

/** Every kind of placeholder that an implementation may know, for secrets by their type and by their name. */
export const secrets = {
  DB_PASSWORD: 'changeme',
  API_TOKEN: 'change-me',
  APP_SECRET: 'CHANGE_ME',
  ADMIN_PASSWORD: 'replace-me',
  SESSION_SECRET: '<secret>',
  ROOT_PASSWORD: 'placeholder',
  SECRET_KEY: 'your-secret-here',
};

const secretNames = Object.keys(secrets);

/** A value for each of these secrets that is no placeholder. */
export const filled = Object.fromEntries(secretNames.map((key) => [key, `filled ${key}`]));

/** A manifest and a `.env.example` whose install has to be refused as long as the secrets are not filled in. */
export function unfilled(name: string): { manifest: Record<string, unknown>; envExample: string } {
  const passwords = secretNames.map((key) => ({ ...settings.password, name: key, label: `Field ${key}` }));
  const lines = Object.entries(secrets).map(([key, value]) => `${key}=${value}\n`);
  return {
    manifest: manifest(name, { settings: [...passwords, ...declared('KEPT')] }),
    envExample: `KEPT=1\n${lines.join('')}`,
  };
}
