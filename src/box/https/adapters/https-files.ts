import { Resolver } from 'node:dns/promises';
import { constants, statSync } from 'node:fs';
import { access, chmod, chown, mkdir, realpath, rm } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { lstatIfThere, namesIn, onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { isTemporaryName, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { inTurn } from '../../../lib/process/lock.ts';
import { runCommand } from '../../../lib/process/run-command.ts';
import { makeTimer } from '../../adapters/backup-timer.ts';
import { dockerEnvironment } from '../../adapters/docker/docker-environment.ts';
import { throwContainersFailed } from '../../adapters/docker/docker-failure.ts';
import type { HttpsPorts, Served } from '../ports.ts';
import { type HttpsSetting, parseSetting } from '../rules/names.ts';
import { certificateFile, labelsIn } from '../rules/site-files.ts';
import { makeCaddy } from './caddy.ts';
import { makeLego } from './lego.ts';
import { runningCaddy } from './running-caddy.ts';

const mostBytes = 1024 * 1024;
const lookupMs = 3000;
const versionMs = 30_000;

/** `https.json`, `https-dns.env` and the folder `https/` in the state directory. */
export function makeHttpsFiles(
  stateDirectory: string,
  env: NodeJS.ProcessEnv,
): Omit<HttpsPorts, 'pageTemplate' | 'consoleAddress'> {
  const folder = join(stateDirectory, 'https');
  const caddyHome = join(stateDirectory, 'https-caddy');
  const credentials = join(stateDirectory, 'https-dns.env');
  const timer = makeTimer('boxgate-https.timer');
  return {
    folder,
    ...settingAndSites(join(stateDirectory, 'https.json'), [folder, caddyHome, credentials]),
    ...otherFiles(folder, credentials),
    variables: new Map(
      Object.entries(env).flatMap(([name, text = '']) =>
        name.startsWith('BOX_HTTPS_') && text !== '' ? [[name, text] as const] : [],
      ),
    ),
    makeFolder: () =>
      onStorage(`cannot make ${folder}`, async () => {
        await mkdir(folder, { recursive: true });
        const caddy = await runningCaddy(env);
        if (caddy !== null) await chown(folder, process.getuid?.() ?? 0, caddy.group);
        // New files get the folder's group: a key is for Caddy and nobody else.
        await chmod(folder, 0o2750);
      }),
    readCaddyfile: textOf,
    writeCaddyfile: (path, text) =>
      onStorage(`cannot write ${path}`, async () => {
        const file = await realpath(path);
        await writeFileAtomic(file, text, statSync(file).mode & 0o777);
      }),
    async caddyfileProblem(path) {
      const parent = dirname(await realpath(path));
      return access(parent, constants.W_OK).then(
        () => null,
        () =>
          `${parent} cannot be written from here: if Caddy was installed after boxgate, restart the box; else run sudo boxgate box https setup in its shell`,
      );
    },
    async isForCaddy(path) {
      const caddy = await runningCaddy(env);
      if (caddy === null || caddy.group === process.getgid?.()) return true;
      const { mode, uid, gid } = statSync(path);
      const isOwn = (mode & 0o400) !== 0 && uid === caddy.user;
      return isOwn || (mode & 0o004) !== 0 || ((mode & 0o040) !== 0 && gid === caddy.group);
    },
    caddy: makeCaddy(env, caddyHome),
    certificates: makeLego(stateDirectory, env),
    composeVersion: async () => {
      const options = { cwd: '/', env: dockerEnvironment(env), timeoutMs: versionMs };
      return (await runCommand(['docker', 'compose', 'version', '--short'], options).catch(throwContainersFailed))
        .stdout;
    },
    timer: { enable: () => timer.enable(null), disable: timer.disable },
    resolve: addressesOf,
    homeAddresses,
    inTurn: (work) => inTurn(join(stateDirectory, 'https.lock'), work),
  };
}

/** The setting, and the files of the sites. */
function settingAndSites(settingFile: string, others: [folder: string, ...string[]]) {
  const [folder] = others;
  let latest: { stamp: string; served: Served | null } = { stamp: '', served: null };
  const caddyFiles = () => namesIn(folder).filter((name) => name.endsWith('.caddy') && !isTemporaryName(name));
  const { load: setting, save } = makeStateFile(settingFile, mostBytes, parseSetting);
  return {
    setting,
    async keep(next: HttpsSetting | null) {
      if (next !== null) return save(next);
      await onStorage(`cannot write ${settingFile}`, async () => {
        for (const own of [settingFile, ...others]) await rm(own, { recursive: true, force: true });
      });
    },
    served() {
      const stamp = `${stampOf(settingFile)} ${stampOf(folder)}`;
      if (latest.stamp === stamp) return latest.served;
      const domain = setting()?.domain;
      latest = { stamp, served: domain === undefined ? null : { domain, labels: labelsIn(caddyFiles()) } };
      return latest.served;
    },
    read: () => new Map(caddyFiles().map((name) => [name, textOf(join(folder, name)) ?? ''])),
    write: (files: ReadonlyMap<string, string>) =>
      onStorage(`cannot write ${folder}`, async () => {
        for (const [name, text] of files) await writeFileAtomic(join(folder, name), text, 0o644);
        for (const name of caddyFiles()) if (!files.has(name)) await rm(join(folder, name), { force: true });
      }),
  };
}

/** Certificates, what they are obtained with, and overrides for Compose. */
function otherFiles(folder: string, credentials: string) {
  const rootFile = join(folder, 'root.crt');
  return {
    keepCertificate: (pem: string) =>
      onStorage(`cannot write ${folder}`, () => writeFileAtomic(join(folder, certificateFile), pem, 0o640)),
    async keepCredentials(text: string) {
      const before = textOf(credentials);
      const write = (next: string) =>
        onStorage(`cannot write ${credentials}`, () => writeFileAtomic(credentials, next, 0o600));
      await write(text.endsWith('\n') ? text : `${text}\n`);
      return {
        file: credentials,
        undo: async () => void (await (before === null ? rm(credentials, { force: true }) : write(before))),
      };
    },
    keepOverride: (label: string, text: string) =>
      onStorage(`cannot write ${folder}`, async () => {
        const file = join(folder, `closed-${label}.yaml`);
        await writeFileAtomic(file, text, 0o644);
        return file;
      }),
    rootCertificate: () => textOf(rootFile),
    keepRootCertificate: (pem: string) =>
      onStorage(`cannot write ${rootFile}`, async () => void (await writeFileAtomic(rootFile, pem, 0o644))),
  };
}

function textOf(path: string): string | null {
  const bytes = readRegularFile(path, mostBytes, 'followed');
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}

/** Empty if there is no such file. */
function stampOf(path: string): string {
  const stats = lstatIfThere(path);
  return stats === null ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

async function addressesOf(host: string, server: string | null): Promise<string[]> {
  const resolver = new Resolver({ timeout: lookupMs, tries: 2 });
  if (server !== null) resolver.setServers([server]);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

function homeAddresses(): string[] {
  const ofContainers = /^(?:lo|docker|br-|veth|virbr|tunnel$|wg)/;
  const all = Object.entries(networkInterfaces()).filter(([name]) => !ofContainers.test(name));
  const addresses = all.flatMap(([, list]) => (list ?? []).map(({ address }) => address));
  return addresses
    .filter((address) => !address.startsWith('fe80:'))
    .toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
}
