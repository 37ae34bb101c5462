import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { startWgEasy, type WgEasy, type WgEasyOptions } from '../wg-easy.ts';
import { ask } from './ask.ts';
import type { RecordedAnswer } from './recording.ts';

/** A running fake and a logged-in client. */
export type Driver = {
  manager: WgEasy;
  send(method: string, path: string, body?: object): Promise<RecordedAnswer>;
  login(password?: string): Promise<RecordedAnswer>;
  /** Starts a new session. */
  logIn(): Promise<void>;
  list(): Promise<RecordedAnswer>;
  create(name: string): Promise<RecordedAnswer>;
  remove(id: number | string): Promise<RecordedAnswer>;
  names(): unknown[];
  /** Sends concurrent requests that arrive in this order; returns their statuses. */
  atOnce(...sends: (() => Promise<RecordedAnswer>)[]): Promise<number[]>;
};

export async function drive(options: WgEasyOptions = {}): Promise<Driver> {
  /** Delays work until all requests arrived, so that they collide. */
  let awaited = 0;
  const pause = () => until('all requests arrived', () => manager.counters().requests >= awaited);
  const manager = await startWgEasy({ pause, ...options });
  const { dialect, username } = manager;
  const clients = dialect === '14' ? '/api/wireguard/client' : '/api/client';
  let cookie = '';
  const driver: Driver = {
    manager,
    send: (method, path, body) => {
      const headers = { cookie, 'content-type': 'application/json' };
      return ask(manager.url, { method, path, headers, body: body === undefined ? null : JSON.stringify(body) });
    },
    login: (password = manager.password) => {
      const path = dialect === '14' ? '/api/session' : '/api/auth/password';
      return driver.send('POST', path, { username, password, remember: false });
    },
    logIn: async () => {
      const [set = ''] = [(await driver.login()).headers['set-cookie'] ?? []].flat();
      cookie = set.split(';', 1)[0] ?? '';
    },
    list: () => driver.send('GET', clients),
    create: (name) => driver.send('POST', clients, { name, expiresAt: null }),
    remove: (id) => driver.send('DELETE', `${clients}/${id}`),
    names: () => manager.clients().map((client) => client.name),
    atOnce: async (...sends) => {
      const before = manager.counters().requests;
      awaited = before + sends.length;
      const answers: Promise<number>[] = [];
      for (const [index, sending] of sends.entries()) {
        answers.push(statusOf(sending()));
        await until('the request arrived', () => manager.counters().requests > before + index);
      }
      return Promise.all(answers);
    },
  };
  await driver.logIn();
  manager.resetTraffic();
  return driver;
}

export async function statusOf(answer: Promise<RecordedAnswer>): Promise<number> {
  return (await answer).status;
}

export async function until(what: string, holds: () => boolean) {
  const end = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > end) assert.fail(`not within 60 s: ${what}`);
    await turn();
  }
}
