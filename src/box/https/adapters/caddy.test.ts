import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { makeCaddy } from './caddy.ts';

test('a Caddy whose interface is off is said to be so, and not to be away', async () => {
  const folder = temporaryFolder();
  const script = '#!/bin/sh\n[ "$1" = adapt ] || exit 1\necho \'{"admin":{"disabled":true}}\'\n';
  writeFileSync(join(folder, 'caddy'), script, { mode: 0o755 });
  const caddy = makeCaddy({ PATH: `${folder}:${process.env.PATH}` }, join(folder, 'home'));
  const said = { isAway: false, message: /^\/Caddyfile switches off .*take away the line "admin off"/ };
  await assert.rejects(caddy.reload('/Caddyfile', false), said);
  assert.equal(await caddy.rootCertificate('/Caddyfile'), null);
});

test('the home of its commands is for the own user alone, and what a killed run left there goes', async () => {
  const folder = temporaryFolder();
  const [home, seen] = [join(folder, 'own', 'home'), join(folder, 'seen')];
  const script = `#!/bin/sh\necho "$HOME $XDG_DATA_HOME $(ls "$HOME" | tr '\\n' ' ')" >> '${seen}'\n`;
  writeFileSync(join(folder, 'caddy'), script, { mode: 0o755 });
  const caddy = makeCaddy({ PATH: `${folder}:${process.env.PATH}` }, home);
  const trial = join(home, 'trial');
  mkdirSync(trial, { recursive: true });
  writeFileSync(join(trial, 'left.caddy'), '$2a$10$');
  await caddy.validate(new Map([['page.caddy', 'text']]));
  await caddy.version();
  assert.equal(existsSync(trial), false);
  assert.equal(readFileSync(seen, 'utf8'), `${trial} ${trial} Caddyfile page.caddy \n${home} ${home} \n`);
  await makeCaddy({ PATH: `${folder}:${process.env.PATH}` }, join(folder, 'new')).version();
  assert.equal(statSync(join(folder, 'new')).mode & 0o777, 0o700);
});

test('a password is hashed at a cost that leaves the proxy able to answer', async () => {
  assert.match(await makeCaddy({}, '/nowhere').hash('secret'), /^\$2[ab]\$10\$/);
});
