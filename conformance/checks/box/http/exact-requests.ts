import { type Check, check } from '../../../kernel/check.ts';
import { refused } from '../../../kernel/expect.ts';
import { almostJson, encodings } from '../../http/almost-json.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const noName = "missing or empty 'name' field";
const noSettings = "missing or invalid 'settings' object";
const posts = ['/api/apps/cairn/settings', '/api/apps/install', '/api/nowhere'];

/** Requests that are almost those of the API, and that libraries of some languages take for them. */
export const checks: Check<BoxContext>[] = [
  check(
    'box/body/keys-in-another-case',
    ['box/endpoints/9', 'box/installApp/5', 'box/removeApp/4', 'box/updateAppSettings/6'],
    'does not take a key in another case, such as NAME, for the key',
    async (box) => {
      for (const path of ['/api/nowhere', '/api/apps/install', '/api/apps/remove']) {
        for (const body of [{ NAME: 'cairn' }, { Name: 'cairn' }, { name: '', Name: 'cairn' }, { 'name ': 'cairn' }])
          refused(await box.post(path, body), 400, noName);
      }
      for (const body of [
        { Settings: {} },
        { SETTINGS: {} },
        { 'setting\u017f': {} },
        { settings: null, Settings: {} },
      ])
        refused(await box.post('/api/apps/cairn/settings', body), 400, noSettings);
    },
    { shared: library },
  ),
  check(
    'box/body/other-encodings',
    ['box/body/2', 'box/body/4'],
    'refuses JSON in UTF-16 and UTF-32, and surrogates in UTF-8',
    async (box) => {
      const surrogate = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]);
      for (const path of posts) {
        for (const body of [...encodings('{"name":"x"}'), surrogate])
          refused(await box.post(path, body), 400, 'invalid JSON body');
      }
    },
    { shared: library },
  ),
  check(
    'box/body/almost-json',
    ['box/body/2', 'box/body/4'],
    'refuses NaN, Infinity, line breaks in strings, and a second value after the first',
    async (box) => {
      for (const path of posts) {
        for (const body of almostJson) refused(await box.post(path, body), 400, 'invalid JSON body');
      }
    },
    { shared: library },
  ),
  check(
    'box/body/any-content-type',
    ['box/endpoints/9', 'box/endpoints/10', 'box/body/2'],
    'reads a body as JSON whatever its Content-Type says, as simple command-line clients send it',
    async (box) => {
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream']) {
        const headers = { 'Content-Type': type };
        refused(await box.post('/api/nowhere', { name: 'x' }, headers), 404, 'not found');
        refused(await box.post('/api/nowhere', {}, headers), 400, noName);
        refused(await box.post('/api/nowhere', 'name=x', headers), 400, 'invalid JSON body');
      }
    },
    { shared: library },
  ),
  check(
    'box/http/encoded-paths',
    ['box/endpoints/1', 'box/endpoints/7', 'box/endpoints/10'],
    'does not decode or clean a path before it is matched, and redirects nowhere',
    async (box) => {
      for (const path of ['/api/%61pps', '/%61pps', '/api%2Fapps', '//api/apps', '/api/apps/../apps', '/apps/.'])
        refused(await box.get(path), 404, 'not found');
      for (const path of ['/api/apps/%72emove', '//api/apps/remove', '/api/../api/apps/remove'])
        refused(await box.post(path, { name: 'nobody' }), 404, 'not found');
    },
    { shared: library },
  ),
];
