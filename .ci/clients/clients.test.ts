/**
 * Generates, compiles and runs a client for each toolchain from the packed package, against live servers, and against
 * the same servers as a later version behind a proxy may answer. The client that validates responses also runs against
 * the implementations in Python, which send only what the requirements ask for.
 *
 * A toolchain is a folder: `build.sh` generates and compiles in the folder OUT from the documents in the folder SPEC,
 * together with the example of spec/CLIENTS.md in the folder EXAMPLES; `run.sh` runs the story and the example.
 * BOXGATE_CLIENTS selects toolchains, by names separated by blanks.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { type JsonObject, operationsOf, readDocument } from '../../spec/document.ts';
import { required } from '../real/support/required.ts';
import { ServerProcess } from '../real/support/server-process.ts';
import { makeNewerServer } from './newer.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const checkout = join(here, '..', '..');
const scratch = mkdtempSync(join(required('BOXGATE_CI_SCRATCH'), 'clients-'));
const installed = join(scratch, 'node_modules', 'boxgate');
const toolchains = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(here, entry.name, 'build.sh')))
  .map(({ name }) => name)
  .filter((name) => (process.env.BOXGATE_CLIENTS ?? name).split(' ').includes(name));

before(async () => {
  // Without scripts, because a build beside other steps of CI would replace their programs.
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch];
  const { stdout } = await run('npm', pack, { cwd: checkout });
  writeFileSync(join(scratch, 'package.json'), '{"private": true}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', join(scratch, stdout.trim())], {
    cwd: scratch,
  });
});
after(() => {
  if (process.env.BOXGATE_KEEP_CLIENTS === undefined) rmSync(scratch, { recursive: true, force: true });
});

/**
 * Can install the app of the documents' examples, and one whose container ends at once, so that its install answers 207.
 * The manifest of an installed app is broken.
 */
async function openBox() {
  const environment = makeBoxEnvironment();
  const examples = new Map(operationsOf(readDocument('box')).map((one) => [one.operationId, one.examples.success[0]]));
  const [{ icon_svg: icon, ...app } = {}] = examples.get('listBundledApps') as JsonObject[];
  const settings = (examples.get('getAppSettings') as { settings: JsonObject[] }).settings;
  const compose = (name: string) =>
    `services:\n  web:\n    image: registry.example/${name}:1.4\n    restart: unless-stopped\n`;
  environment.bundle({
    name: 'notes',
    manifest: { ...app, settings: settings.map(({ value: _, ...setting }) => setting) },
    icon: String(icon),
    compose: `${compose('notes')}    ports: ["\${NOTES_PORT}:80"]\n`,
  });
  const unlucky = { name: 'unlucky', manifest: { name: 'unlucky', version: '1' }, compose: compose('unlucky') };
  environment.bundle(unlucky);
  await environment.docker.behave('registry.example/unlucky:1.4', 'exit');
  environment.placeInstalled({ name: 'sketches', manifest: '{' });
  return environment;
}

type Version = 'plain' | 'newer' | 'another implementation';

/** The command that starts a server of a version. */
function commandOf(api: 'box' | 'gateway', version: Version): string[] {
  if (version === 'another implementation') return ['python3', join(checkout, 'conformance', 'examples', `${api}.py`)];
  return [process.execPath, join(installed, 'src', 'cli', 'boxgate.cjs'), api, 'serve'];
}

/** Runs work with the addresses of a new box and a new gateway. */
async function withServers(version: Version, work: (variables: Record<string, string>) => Promise<void>) {
  const [box, gateway] = [await openBox(), await makeGatewayEnvironment()];
  const isNewer = version === 'newer';
  const servers = {
    BOX_URL: new ServerProcess([], (port) => ({ ...box.env(), BOX_PORT: port }), commandOf('box', version)),
    GATEWAY_URL: new ServerProcess(
      [],
      (port) => ({ ...gateway.env(), GATEWAY_PORT: port, PATH: process.env.PATH }),
      commandOf('gateway', version),
    ),
  };
  const proxies = Object.values(servers).map((server) => ({ server, proxy: makeNewerServer(() => server.port) }));
  try {
    for (const { server, proxy } of proxies) {
      await server.start();
      if (isNewer) await once(proxy.listen(0, '127.0.0.1'), 'listening');
    }
    const urls = Object.keys(servers).map((name, index) => {
      const { server, proxy } = proxies[index] ?? assert.fail();
      const url = isNewer ? `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` : server.url;
      return [name, url];
    });
    await work({ ...Object.fromEntries(urls), REGISTRATION_TOKEN: gateway.registrationToken });
  } finally {
    for (const { server, proxy } of proxies) {
      proxy.closeAllConnections();
      proxy.close();
      await server.kill();
    }
    await box.dispose();
    await gateway.dispose();
  }
}

/** Runs a script of a toolchain. If it fails, the error has its output. */
async function script(name: string, file: string, variables: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...variables };
  await run('bash', ['-euo', 'pipefail', join(here, name, file)], { env, cwd: variables.OUT }).catch((error) => {
    throw new Error(`${name}/${file}: ${error.message}\n${error.stdout}\n${error.stderr}`);
  });
}

test('the installed package has the documents, by import and by command', async () => {
  const program = `import box from 'boxgate/spec/box.openapi.json' with { type: 'json' };
    console.log(JSON.stringify(box));`;
  const argv = ['--no-warnings', '--input-type=module', '-e', program];
  const imported = await run(process.execPath, argv, { cwd: scratch });
  const command = join(scratch, 'node_modules', '.bin', 'boxgate');
  const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
  const printed = await run(command, ['spec', 'box', '--json'], { cwd: scratch, env });
  assert.deepEqual(JSON.parse(imported.stdout), readDocument('box'));
  assert.deepEqual(JSON.parse(printed.stdout), readDocument('box'));
});

for (const name of toolchains) {
  describe(name, () => {
    const places = {
      OUT: join(scratch, name),
      SPEC: join(installed, 'spec'),
      EXAMPLES: join(scratch, `${name}-example`),
    };

    test('generates and compiles', async () => {
      mkdirSync(places.OUT);
      mkdirSync(places.EXAMPLES);
      for (const [language, file, text] of examplesOfClients()) {
        if (language === name) writeFileSync(join(places.EXAMPLES, file), text);
      }
      await script(name, 'build.sh', places);
    });

    const versions = ['plain', 'newer', ...(name === 'zodios' ? ['another implementation' as const] : [])] as const;
    for (const version of versions) {
      test(`its story and its example run against the servers: ${version}`, async () => {
        await withServers(version, (variables) => script(name, 'run.sh', { ...places, ...variables }));
      });
    }
  });
}

/** The examples of spec/CLIENTS.md: blocks of code after a comment `<!-- TOOLCHAIN FILE -->`. */
function examplesOfClients(): [toolchain: string, file: string, text: string][] {
  const text = readFileSync(join(installed, 'spec', 'CLIENTS.md'), 'utf8');
  const blocks = text.matchAll(/^<!-- (\S+) (\S+) -->\n+```\w*\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, toolchain = '', file = '', code = '']) => [toolchain, file, code]);
}
