import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import nock from 'nock';
import {
  budget,
  dialects,
  found,
  idIn,
  recorded,
  replay,
  root,
  sessionOf,
  useNock,
  wgEasy,
  wgEasyWith,
} from '../../testing/wg-easy-recordings.ts';
import type { Session } from './wg-easy.ts';
import type { WgEasyFault } from './wg-easy-error.ts';

useNock();

for (const dialect of dialects) {
  const is14 = dialect === '14';

  describe(`recorded refusals of ${dialect}`, () => {
    const session = sessionOf(dialect);
    const stale = is14 ? ['session-forged-cookie'] : [];
    const alive = ['session-logged-in'];
    const login = (name: string, fields: { password?: string; username?: string } = {}) => ({
      names: [name],
      ask: () => wgEasyWith(fields).login({ dialect, asksForPassword: true }, budget),
    });
    const short = { password: 'short' };
    const wrong = { password: 'wrong-throw-away-Passw0rd' };
    const rows: [WgEasyFault, { names: string[]; ask: () => Promise<unknown> }][] = [
      ['wrongPassword', login('login-wrong-password', wrong)],
      [is14 ? 'wrongPassword' : 'shortPassword', login('login-short-password', short)],
      ['sessionLost', { names: ['list-forged-cookie', ...stale], ask: () => wgEasy.list(session, budget) }],
      ['sessionLost', { names: ['create-no-cookie', ...stale], ask: () => wgEasy.create(session, 'nobody', budget) }],
      ['serverError', { names: ['pool-create-254th', ...alive], ask: () => wgEasy.create(session, 'p253', budget) }],
      ['serverError', { names: ['broken-list', ...alive], ask: () => wgEasy.list(session, budget) }],
      [
        'unknownClient',
        {
          names: ['configuration-unknown-id'],
          ask: () => wgEasy.configuration(session, idIn(dialect, 'configuration-unknown-id'), budget),
        },
      ],
      [
        'wrongPath',
        {
          names: ['other-dialect-list'],
          ask: () => wgEasy.list({ ...session, dialect: is14 ? '15.4' : '14' }, budget),
        },
      ],
    ];
    if (!is14) {
      rows.push(
        ['twoFactor', login('totp-login-password-only')],
        ['wrongPassword', login('login-wrong-user', { username: 'nobody' })],
        ['locked', login('after-race-login')],
        [
          'serverError',
          { names: ['after-race-create', ...alive], ask: () => wgEasy.create(session, 'after-race', budget) },
        ],
      );
    }
    for (const [fault, { names, ask }] of rows) {
      test(`${names[0]}: ${fault}`, async () => {
        replay(dialect, ...names);
        await assert.rejects(ask(), { name: 'WgEasyError', fault });
      });
    }
  });
}

describe('a session of another version is a lost session', () => {
  for (const [dialect, status, body] of [
    ['15.4', 200, recorded('14', 'session-probe-no-cookie').response.body],
    ['15.4', 200, recorded('14', 'nopassword-session-probe').response.body],
    ['14', 401, recorded('15.4', 'session-probe-no-cookie').response.body],
    ['14', 204, ''],
    ['14', 200, recorded('15.4', 'session-logged-in').response.body],
  ] as const) {
    test(`${dialect}: ${status} ${body.slice(0, 30)}`, async () => {
      nock(root)
        .get(/client/)
        .reply(500, '{"statusCode":500,"stack":[]}')
        .get('/api/session')
        .reply(status, body);
      await assert.rejects(wgEasy.list({ dialect, cookie: 'a=b' }, budget), { fault: 'sessionLost' });
    });
  }
});

describe('a server that is no wg-easy', () => {
  for (const [name, status, body, headers, fault] of [
    ['a page', 200, '<!doctype html>', { 'content-type': 'text/html' }, 'notWgEasy'],
    ['another API', 200, '{"status":"ok"}', { 'content-type': 'application/json' }, 'notWgEasy'],
    ['a password of a proxy', 401, 'Unauthorized', { 'www-authenticate': 'Basic' }, 'notWgEasy'],
    ['nothing at this path', 404, 'not found', {}, 'notWgEasy'],
    ['a redirection', 302, '', { location: 'https://elsewhere.example.test/?token=abc' }, 'redirect'],
    ['a proxy with nobody behind it', 502, '<h1>Bad Gateway</h1>', {}, 'unavailable'],
  ] as const) {
    test(name, async () => {
      nock(root).get('/api/session').reply(status, body, headers);
      await assert.rejects(wgEasy.detect(budget), (error: Error & { fault?: string }) => {
        assert.equal(error.fault, fault);
        assert.doesNotMatch(error.message, /doctype|token|elsewhere/);
        return true;
      });
    });
  }
});

describe('a 200 with an unexpected body', () => {
  const session: Session = { dialect: '15.4', cookie: 'wg-easy=x' };
  for (const body of [
    '',
    'null',
    '[]',
    '{}',
    '{"success":false}',
    '{"success":"true"}',
    '<p>ok</p>',
    '{"success":tr',
  ]) {
    test(`to a create: ${body}`, async () => {
      nock(root).post('/api/client').reply(200, body);
      await assert.rejects(wgEasy.create(session, 'a', budget), { fault: 'unexpected' });
    });
  }
  for (const body of ['', 'null', '{}', '{"clients":[]}', '[{"name":"a"}']) {
    test(`to a list: ${body}`, async () => {
      nock(root).get('/api/client').reply(200, body);
      await assert.rejects(wgEasy.list(session, budget), { fault: 'unexpected' });
    });
  }
  for (const cookie of [
    undefined,
    'wg-easy=; Path=/',
    'other=x; Path=/',
    `wg-easy=${'x'.repeat(5000)}; Path=/`,
    'wg-easy=a b; Path=/',
  ]) {
    test(`to a login: ${cookie?.slice(0, 20)}`, async () => {
      nock(root)
        .post('/api/auth/password')
        .reply(200, '{"status":"success"}', cookie === undefined ? {} : { 'set-cookie': [cookie] });
      await assert.rejects(wgEasy.login(found['15.4'], budget), { fault: 'unexpected' });
    });
  }
});
