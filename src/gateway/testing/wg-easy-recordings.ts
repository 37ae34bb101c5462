/** Recorded exchanges with wg-easy, replayed by nock. */

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import nock from 'nock';
import recorded14 from '../../../fakes/wg-easy/recordings/14.json' with { type: 'json' };
import recorded154 from '../../../fakes/wg-easy/recordings/15.4.json' with { type: 'json' };
import { type Account, type Dialect, type Found, makeWgEasy, type Session } from '../adapters/wg-easy/wg-easy.ts';

type Exchange = {
  name: string;
  request: { method: string; path: string; body: string | null };
  response: { status: number; headers: Record<string, string | string[]>; body: string };
};

export const recordings: Record<Dialect, Exchange[]> = {
  '14': recorded14.exchanges as unknown as Exchange[],
  '15.4': recorded154.exchanges as unknown as Exchange[],
};
export const dialects = Object.keys(recordings) as Dialect[];
export const found: Record<Dialect, Found> = {
  '14': { dialect: '14', asksForPassword: true },
  '15.4': { dialect: '15.4', asksForPassword: true },
};

export const root = 'http://wg.example.test:51821';
const password = 'throw-away-Passw0rd';

export function wgEasyWith(account: Partial<Account> = {}) {
  return makeWgEasy({ url: new URL(root), username: 'admin', password, ...account });
}
export const wgEasy = wgEasyWith();

export const budget = () => 60_000;

/** For a whole test file: blocks requests to other hosts, and checks that every expected request came. */
export function useNock(): void {
  before(() => nock.disableNetConnect());
  after(() => nock.enableNetConnect());
  afterEach(() => {
    const left = nock.pendingMocks();
    nock.cleanAll();
    assert.deepEqual(left, [], 'requests that did not come');
  });
}

export function recorded(dialect: Dialect, name: string): Exchange {
  const exchange = recordings[dialect].find((one) => one.name === name);
  return exchange ?? assert.fail(`no recording ${name} of ${dialect}`);
}

/** Answers the recorded request with the recorded response, once. */
export function replay(dialect: Dialect, ...names: string[]): void {
  for (const name of names) {
    const { request, response } = recorded(dialect, name);
    const { 'transfer-encoding': _, ...headers } = response.headers;
    nock(root)
      .intercept(request.path, request.method, request.body === null ? undefined : JSON.parse(request.body))
      .reply(response.status, response.body, headers);
  }
}

export const cookieOf = (dialect: Dialect, name: string) =>
  String(recorded(dialect, name).response.headers['set-cookie']).split(';')[0] ?? '';

export const sessionOf = (dialect: Dialect): Session => ({ dialect, cookie: cookieOf(dialect, 'login-ok') });

export const idIn = (dialect: Dialect, name: string) =>
  recorded(dialect, name)
    .request.path.split('/')
    .find((part) => /\d/.test(part)) ?? assert.fail();
