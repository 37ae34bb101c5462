// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsetBySense } from './dollar-signs.ts';

test('a part of a secret is told by its place, and any other variable by its name', () => {
  const environment = {
    HASH: '$2b$12$abc',
    ADMIN_PASSWORD: 'pa$word',
    DB_PASSWORD: '$DB_PASSWORD',
    TOKEN: '${TOKEN}',
    ESCAPED_PASSWORD: '$$word',
    URL: 'http://$HOST',
    COUNT: 1,
  };
  const labels = ['auth.users=admin:$apr1$salt$digest', 'host=$HOST.$ZONE'];
  const documents = [
    {
      services: {
        web: { environment, labels },
        db: { environment: ['MAIL_PASSWORD=x$more', 'PLAIN=$more', '$9$HOST'] },
      },
    },
    null,
  ];
  const env = { file: '.env', text: 'A=$EMPTY\n# B=$NO\n  export C = x$inner\nD="one\n ${inside:-y}"\nE=$set\n' };
  const unset = [
    'abc',
    'word',
    'DB_PASSWORD',
    'TOKEN',
    'more',
    'OTHER',
    'EMPTY',
    'inner',
    'inside',
    'NO',
    'apr1',
    'salt',
    'digest',
    'ZONE',
  ];
  const isSecret = (key: string) => key.endsWith('PASSWORD');
  assert.deepEqual(unsetBySense(unset, { documents, env, isSecret }), {
    names: ['DB_PASSWORD', 'TOKEN', 'OTHER', 'NO', 'ZONE'],
    texts: [
      'Compose takes a "$" in services.web.environment.HASH, services.web.environment.ADMIN_PASSWORD, services.web.labels.0, services.db.environment.MAIL_PASSWORD for a variable, which nothing sets: write "$$" for each "$" that is meant',
      'Compose takes a "$" in A of .env, C of .env, D of .env for a variable, which nothing sets: put the value between single quotes',
    ],
  });
  const nothing = { documents: [], env: { file: '.env', text: '' }, isSecret };
  assert.deepEqual(unsetBySense(['A'], nothing), { names: ['A'], texts: [] });
});
