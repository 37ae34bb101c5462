import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, isAction, isPublish, isRegister } from './fault.ts';
import { changeAnswer, ownFiles, success } from './gateway-fault.ts';

export const fileFaults: Fault[] = [
  {
    name: 'file-is-lost',
    kills: 'gateway/route-files/published',
    ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (_answer, _call, memory) => {
      for (const name of ownFiles(memory)) rmSync(join(memory.routesDir, name));
    }),
  },
  {
    name: 'half-a-file-beside',
    kills: 'gateway/route-files/published',
    ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (_answer, _call, memory) => {
      writeFileSync(join(memory.routesDir, 'next.yml'), 'http:\n  routers: {');
    }),
  },
  {
    name: 'catch-all-host',
    kills: 'gateway/route-files/withdrawn',
    ...changeAnswer(isPublish, (_answer, _call, memory) => {
      const rule = 'http:\n  routers:\n    all:\n      rule: Host(`all.example`)\n      service: all\n  services:\n    all:\n';
      writeFileSync(join(memory.routesDir, 'all.yml'), `${rule}      loadBalancer:\n        servers:\n          - url: http://127.0.0.1:9\n`);
    }),
  },
  {
    name: 'temporary-file-in-the-directory',
    kills: 'gateway/route-files/one-event',
    ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (_answer, _call, memory) => {
      writeFileSync(join(memory.routesDir, 'next.tmp'), 'x');
    }),
  },
  {
    name: 'file-touched-by-a-heartbeat',
    kills: 'gateway/route-files/same-bytes',
    ...changeAnswer((call) => isAction(call, 'heartbeat'), (_answer, _call, memory) => {
      for (const name of ownFiles(memory)) utimesSync(join(memory.routesDir, name), 1, 1);
    }),
  },
  {
    name: 'foreign-file-removed',
    kills: 'gateway/route-files/foreign-files',
    ...changeAnswer(isPublish, (_answer, _call, memory) => rmSync(join(memory.routesDir, 'operator.yml'), { force: true })),
  },
  {
    name: 'token-in-a-file',
    kills: 'gateway/store/no-token-in-clear',
    ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer, _call, memory) => {
      writeFileSync(join(memory.stateDir, 'boxes.json'), JSON.stringify(answer.json), { mode: 0o600 });
    }),
  },
]; // biome-ignore format: a table
