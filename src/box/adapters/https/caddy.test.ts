import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { makeCaddy } from './caddy.ts';

test('a Caddy whose interface is off is said to be so, and not to be away', async () => {
  const folder = temporaryFolder();
  const script = '#!/bin/sh\n[ "$1" = adapt ] || exit 1\necho \'{"admin":{"disabled":true}}\'\n';
  writeFileSync(join(folder, 'caddy'), script, { mode: 0o755 });
  const caddy = makeCaddy({ PATH: `${folder}:${process.env.PATH}` });
  const said = { isAway: false, message: /^\/Caddyfile switches off .*take away the line "admin off"/ };
  await assert.rejects(caddy.reload('/Caddyfile', false), said);
  assert.equal(await caddy.rootCertificate('/Caddyfile'), null);
});
