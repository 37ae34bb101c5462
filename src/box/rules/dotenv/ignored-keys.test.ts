import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDotenv } from './dotenv.ts';
import { ignoredKeysText } from './ignored-keys.ts';

test('names the keys that would choose other files', () => {
  const text = (env: string) => ignoredKeysText(readDotenv(env), '.env');
  assert.equal(
    text('COMPOSE_FILE=a.yaml:b.yaml\n'),
    'COMPOSE_FILE in .env has no effect: the box uses compose.yaml, its override and .env',
  );
  assert.match(text('COMPOSE_ENV_FILES=x\nCOMPOSE_FILE=y\n') ?? '', /^COMPOSE_FILE, COMPOSE_ENV_FILES in \.env has /);
  assert.equal(text('COMPOSE_FILE=\nCOMPOSE_PROFILES=x\nCOMPOSE_PROJECT_NAME=y\n'), null);
});
