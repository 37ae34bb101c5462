/**
 * Schemathesis tests live servers with requests that it makes from the documents: with the examples, with the limits of
 * each schema, with random values, and with sequences of operations. schemathesis.toml says which of its checks do not
 * apply, and why.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { operationsOf, readDocument } from '../../spec/document.ts';
import type { Service } from '../../spec/register.ts';
import { exampleApp } from '../clients/example-app.ts';
import { required } from '../real/support/required.ts';
import { ServerProcess } from '../real/support/server-process.ts';

const run = promisify(execFile);
const scratch = join(required('BOXGATE_CI_SCRATCH'), 'schemathesis');
const program = join(scratch, 'bin', 'schemathesis');

before(async () => {
  if (existsSync(program)) return;
  await run('python3', ['-m', 'venv', scratch]);
  await run(join(scratch, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', 'schemathesis==4.32.5']);
});

type Run = {
  readonly name: string;
  readonly service: Service;
  readonly url: string;
  /** Options that select operations. */
  readonly select: readonly string[];
  /** Values that replace those of the document's examples, so that requests reach what exists. */
  readonly live?: Readonly<Record<string, string>>;
  readonly token?: string;
};

type Outcome = { readonly isSkipped: boolean; readonly statuses: readonly number[] };

/** Runs all phases, and fails with the report if a check does. Returns the outcomes of each operation, by its phase. */
async function schemathesis({ name, service, url, select, live = {}, token }: Run): Promise<Map<string, Outcome>> {
  const folder = join(scratch, 'runs', name);
  mkdirSync(folder, { recursive: true });
  const document = Object.entries(live).reduce(
    (text, [example, value]) => text.replaceAll(JSON.stringify(example), JSON.stringify(value)),
    JSON.stringify(readDocument(service)),
  );
  writeFileSync(join(folder, 'openapi.json'), document);
  const credentials = token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`];
  const report = ['--report', 'ndjson', '--report-ndjson-path', 'events.ndjson'];
  const options = ['--config-file', join(import.meta.dirname, 'schemathesis.toml')];
  const words = ['run', 'openapi.json', '--url', url, '--no-color', ...report, ...credentials, ...select];
  // The folder is the run's own, because Schemathesis writes a cache into it.
  await run(program, [...options, ...words], { cwd: folder, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${name}: Schemathesis found something:\n${error.stdout}\n${error.stderr}`);
  });
  return outcomesIn(readFileSync(join(folder, 'events.ndjson'), 'utf8'));
}

type Finished = {
  readonly phase: string;
  readonly status: string;
  readonly recorder: {
    readonly label: string;
    readonly interactions: Readonly<Record<string, { response?: { status_code: number } | null }>>;
  };
};

function outcomesIn(report: string): Map<string, Outcome> {
  const events = report.trim().split('\n');
  const finished = events.flatMap((line): Finished[] => JSON.parse(line).ScenarioFinished ?? []);
  return new Map(
    finished.map(({ phase, status, recorder }) => {
      const responses = Object.values(recorder.interactions).map(({ response }) => response);
      const statuses = responses.flatMap((response) => response?.status_code ?? []);
      return [`${phase} ${recorder.label}`, { isSkipped: status === 'skip', statuses }];
    }),
  );
}

/** All operations of the service were tried with the document's example, and that succeeded. */
function assertExamplesSucceed(service: Service, runs: readonly Map<string, Outcome>[]): void {
  const outcomes = new Map(runs.flatMap((one) => [...one]));
  const failed = operationsOf(readDocument(service)).filter(({ method, path }) => {
    const example = outcomes.get(`examples ${method} ${path}`);
    return example === undefined || example.isSkipped || !example.statuses.some((status) => status < 300);
  });
  assert.deepEqual(
    failed.map(({ operationId }) => operationId),
    [],
  );
}

test('box', async () => {
  const box = makeBoxEnvironment();
  box.bundle(exampleApp());
  const server = new ServerProcess(['box', 'serve'], (port) => ({ ...box.env(), BOX_PORT: port }));
  try {
    await server.start();
    const common = { service: 'box', url: server.url } as const;
    // A run of its own at the end, because the other operations need the app.
    const removal = 'removeApp';
    const first = await schemathesis({ ...common, name: 'box', select: ['--exclude-operation-id', removal] });
    await install(server);
    const last = await schemathesis({ ...common, name: removal, select: ['--include-operation-id', removal] });
    assertExamplesSucceed('box', [first, last]);
  } finally {
    await server.kill();
    await box.dispose();
  }
});

async function install(server: ServerProcess): Promise<void> {
  const { status } = await post(server, '/api/apps/install', { name: 'notes' });
  assert.equal(status, 200);
}

function post(server: ServerProcess, path: string, body: unknown, token?: string) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  return server.ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

test('gateway', async () => {
  const gateway = await makeGatewayEnvironment();
  const { registrationToken } = gateway;
  const server = new ServerProcess(['gateway', 'serve'], (port) => ({ ...gateway.env(), GATEWAY_PORT: port }));
  try {
    await server.start();
    // Each of these ends the token of its box, so it has a box and a run of its own.
    const final = ['rotateBoxToken', 'deregisterBox'];
    const selections = [
      { name: 'gateway', select: final.flatMap((id) => ['--exclude-operation-id', id]) },
      ...final.map((id) => ({ name: id, select: ['--include-operation-id', id] })),
    ];
    // All are registered first: the run of the registration uses up the places.
    const boxes = [];
    for (const { name } of selections) boxes.push(await registerBox(server, registrationToken, name));
    const runs = [];
    for (const [index, selection] of selections.entries()) {
      runs.push(await schemathesis({ ...selection, ...boxes[index], service: 'gateway', url: server.url }));
    }
    assertExamplesSucceed('gateway', runs);
  } finally {
    await server.kill();
    await gateway.dispose();
  }
});

/** Registers a box with a route. Returns its token, and its values for those of the examples. */
async function registerBox(server: ServerProcess, registrationToken: string, name: string) {
  const registration = { registration_token: registrationToken, box_name: name };
  const { status, body: box } = await post(server, '/v1/boxes/register', registration);
  assert.equal(status, 201);
  const route = { app_name: 'feeds', subdomain: `feeds-${name.toLowerCase()}`, port: 8240 };
  const published = await post(server, '/v1/routes', route, box.box_token);
  assert.equal(published.status, 201);
  const live = {
    'EXAMPLE-registration-token': registrationToken,
    box_fkti3w3vrt65j5arlyjs: String(box.box_id),
    rt_7m2wqk4hd6xjv3ntzq5a: String(published.body.id),
  };
  return { live, token: String(box.box_token) };
}
