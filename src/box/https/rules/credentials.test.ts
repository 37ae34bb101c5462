import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialsProblem } from './credentials.ts';

/** What lego 4.9.1 prints. */
const help = `Configuration for HTTP request.
Code:   'httpreq'

Credentials:
  - "HTTPREQ_ENDPOINT":  The URL of the server
  - "HTTPREQ_MODE":      'RAW', none
  - "HTTPREQ_KEY_FILE":  A file

Additional Configuration:
  - "HTTPREQ_PASSWORD":  Basic authentication password

More information: https://go-acme.github.io/lego/dns/httpreq
`;
const problemOf = (...names: string[]) => credentialsProblem('httpreq', names, help);

test('only credentials that lego lists are taken, and none that names a file or another program', () => {
  assert.equal(problemOf('HTTPREQ_ENDPOINT', 'HTTPREQ_PASSWORD'), null);
  assert.match(problemOf() ?? '', /are missing, as lines NAME=value: HTTPREQ_ENDPOINT, HTTPREQ_MODE$/);
  for (const name of ['HTTPREQ_PASSWORD_FILE', 'HTTPREQ_KEY_FILE', 'PATH', 'LD_PRELOAD', 'LEGO_CA_CERTIFICATES'])
    assert.match(problemOf('HTTPREQ_ENDPOINT', name) ?? '', new RegExp(`^${name} is no credential of httpreq`));
  assert.match(credentialsProblem('exec', ['EXEC_PATH'], "Code: 'exec'\n") ?? '', /^the credentials of exec are files/);
});
