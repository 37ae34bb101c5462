import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectsOfApp, withPulledNames } from './apps-on-engine.ts';

test('finds every project name that Compose may give to an app', () => {
  const compose = 'name: "chosen"\nservices:\n  web:\n    container_name: x\n';
  const app = { name: 'Reef', compose, env: Buffer.from('A=1\nCOMPOSE_PROJECT_NAME=other\n') };
  assert.deepEqual(projectsOfApp(app).sort(), ['chosen', 'other', 'reef']);
  const files = { 'compose.override.yaml': 'name: third\n' };
  assert.deepEqual(projectsOfApp({ name: 'plain', files }).sort(), ['plain', 'third']);
});

const pulled = (text: string) => text.replaceAll('registry.example/', '127.0.0.1:5/');

test('replaces image names in every file that may contain one', () => {
  const given = withPulledNames({ name: 'a', compose: 'image: registry.example/a:1' }, pulled);
  assert.equal(given.compose, 'image: 127.0.0.1:5/a:1');
  assert.match(withPulledNames({ name: 'a' }, pulled).compose ?? '', /image: 127\.0\.0\.1:5\/a:1\.4/);
  assert.equal(withPulledNames({ name: 'a', compose: null }, pulled).compose, null);
  const bytes = Buffer.from([0, 255]);
  const files = { Dockerfile: 'FROM registry.example/b:2\n', bytes };
  assert.deepEqual(withPulledNames({ name: 'a', files }, pulled).files, {
    Dockerfile: 'FROM 127.0.0.1:5/b:2\n',
    bytes,
  });
});
