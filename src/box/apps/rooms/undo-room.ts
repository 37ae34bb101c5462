import { readableManifest, refuseNotInstalled } from '../../app-files/catalogue.ts';
import { undoableEnv } from '../../app-files/env-file.ts';
import { maskSecretsIn } from '../../app-files/secrets.ts';
import type { Room, Row } from '../../report.ts';
import { readDotenv } from '../../rules/dotenv/dotenv.ts';
import { secretKeys } from '../../rules/dotenv/placeholder.ts';
import { maskedTexts, maskSecrets } from '../../rules/text/mask-secrets.ts';
import type { AppsBox } from '../ports.ts';

export function undoRoom(box: AppsBox): Room {
  return {
    path: 'undo/',
    async read(name) {
      const rows = changesOfUndo(box, name);
      return { title: 'There is nothing to undo.', sections: rows.length === 0 ? [] : [{ rows }] };
    },
  };
}

const longestValue = 500;
const mostChanges = 200;

/** A row for each key that the undo would change, secrets masked; none without an undo. Refused like the undo itself. */
function changesOfUndo(box: AppsBox, name: string): Row[] {
  const manifest = readableManifest('installed', refuseNotInstalled(box, name));
  const isSecret = secretKeys(manifest.settings);
  const found = undoableEnv(box, name, manifest);
  if (found === null) return [];
  const environment = box.folders.environment(name);
  const now = readDotenv(found.before ?? '', environment);
  const then = readDotenv(found.after, environment);
  // A value of another key may contain a secret, such as the password in an address.
  const secrets = [...now, ...then].filter(([key]) => isSecret(key)).map(([, value]) => value);
  const masked = maskedTexts(secrets).own;
  const shown = (key: string, value: string | undefined) => {
    if (value === undefined) return 'not set';
    return isSecret(key) ? '•••' : maskSecrets(maskSecretsIn(box, value, name), masked).slice(0, longestValue);
  };
  return [...new Set([...now.keys(), ...then.keys()])]
    .filter((key) => now.get(key) !== then.get(key))
    .sort()
    .slice(0, mostChanges)
    .map((key) => ({ text: key, value: `${shown(key, now.get(key))} → ${shown(key, then.get(key))}` }));
}
