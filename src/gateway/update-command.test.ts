import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { partsRemark } from './update-command.ts';

test('names the command that brings wg-easy and Traefik, where setup has made them and the new version has others', () => {
  const folder = temporaryFolder();
  const project = join(folder, 'compose.yaml');
  assert.deepEqual(partsRemark(project, folder), [], 'no gateway setup');
  writeFileSync(project, '# boxgate: 00\nimage: traefik:1\n');
  assert.deepEqual(partsRemark(project, folder), [], 'a release without these parts');
  mkdirSync(join(folder, 'deploy/gateway'), { recursive: true });
  const ship = (text: string) => writeFileSync(join(folder, 'deploy/gateway/parts.yaml'), text);
  ship('image: traefik:1\n');
  assert.deepEqual(partsRemark(project, folder), []);
  ship('image: traefik:2\n');
  assert.match(partsRemark(project, folder).join(), /^wg-easy and Traefik are still .*: sudo boxgate gateway setup /);
});
