import { type Check, check } from '../../kernel/check.ts';
import { status } from '../../kernel/expect.ts';
import { library, manifest, placeInstalled } from './apps.ts';
import type { BoxContext } from './context.ts';

const summary = Array.from({ length: 10 }, (_, index) => `box/summary/${index + 2}`);

/** An operation, the rules on the form of its result, and requests that succeed. */
type Row = [operation: string, rules: string[], send: (box: BoxContext) => Promise<void>];

const reads: Row[] = [
  [
    'listApps',
    ['box/listApps/1', 'box/listApps/3', ...summary, 'box/broken/1', 'box/broken/2', 'box/broken/3'],
    async (box) => status(await box.get('/api/apps'), 200),
  ],
  [
    'listBundledApps',
    ['box/listBundledApps/1', ...summary.slice(0, -1)],
    async (box) => status(await box.get('/api/bundled'), 200),
  ],
  [
    'getAppSettings',
    ['box/getAppSettings/1', 'box/settings-view/2', 'box/settings-view/3', 'box/setting/2'],
    async (box) => status(await box.get('/api/apps/cairn/settings'), 200),
  ],
  [
    'getSelfUpdateStatus',
    ['box/getSelfUpdateStatus/1', 'box/update-state/1'],
    async (box) => status(await box.get('/api/self/update/status'), 200),
  ],
];

const changes: Row[] = [
  [
    'updateAppSettings',
    ['box/updateAppSettings/1', 'box/updateAppSettings/4', 'box/action/1'],
    async (box) => {
      placeInstalled(box, 'reef');
      status(await box.changeSettings('reef', {}), 200);
    },
  ],
  [
    'updateApp',
    ['box/updateApp/1', 'box/updateApp/3', 'box/updateApp/7'],
    async (box) => {
      placeInstalled(box, 'reef');
      status(await box.updateApp('reef'), 200);
    },
  ],
  [
    'checkSelfUpdate',
    ['box/checkSelfUpdate/1', 'box/checkSelfUpdate/3', 'box/checkSelfUpdate/4'],
    async (box) => {
      box.environment.feed.publish('987.65.4');
      status(await box.post('/api/self/update/check'), 200);
    },
  ],
  [
    'applySelfUpdate',
    ['box/applySelfUpdate/1', 'box/applySelfUpdate/3'],
    async (box) => status(await box.post('/api/self/update/apply'), 202),
  ],
  [
    'installApp',
    ['box/installApp/1', 'box/installApp/3', 'box/installApp/4', 'box/action/1'],
    async (box) => {
      box.environment.bundle({ name: 'reef', manifest: manifest('reef') });
      status(await box.install('reef'), 200);
    },
  ],
  [
    'removeApp',
    ['box/removeApp/1', 'box/removeApp/2', 'box/removeApp/3'],
    async (box) => {
      placeInstalled(box, 'reef');
      status(await box.remove('reef'), 200);
    },
  ],
];

const bodyCheck = ([operation, rules, send]: Row, options: Check<BoxContext>['options']) =>
  check(`box/${operation}/body`, rules, `answers ${operation} with every documented field, of the right type`, send, {
    ...options,
    verifies: [`body of ${operation}`],
  });

/** The checks of the response contract. They also count the responses that other checks have seen. */
export const checks: Check<BoxContext>[] = [
  ...reads.map((row) => bodyCheck(row, { shared: library })),
  ...changes.map((row) => bodyCheck(row, {})),
  check(
    'box/responses/no-cors',
    ['should/box/19'],
    'allows no other site to read a response',
    async (box) => {
      const headers = { Origin: 'http://evil.example' };
      status(await box.get('/api/apps', headers), 200);
      await box.get('/api/apps/cairn/settings', headers);
      const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' };
      await box.request({ method: 'OPTIONS', path: '/api/apps/install', headers: preflight });
    },
    { shared: library, verifies: ['cors'] },
  ),
];
