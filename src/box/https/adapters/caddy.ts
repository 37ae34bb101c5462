import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onStorage } from '../../../lib/files/storage.ts';
import { ignore } from '../../../lib/ignore.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { probeHost } from '../../../lib/network/probe-host.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { asList, asRecord } from '../../rules/compose/fields.ts';
import { type Caddy, CaddyFailed, type ListenPlace } from '../ports.ts';
import { importLine } from '../rules/site-files.ts';
import { type RunningCaddy, runningCaddy } from './running-caddy.ts';

const commandMs = 60_000;
const usualAdmin = 'localhost:2019';
const install = 'there is no program caddy: sudo apt install caddy';
const noInterface = (caddyfile: string) =>
  `${caddyfile} switches off the interface that reloads Caddy: take away the line "admin off", then sudo systemctl restart caddy`;
const start = 'Caddy does not run: sudo systemctl enable --now caddy; journalctl -u caddy says why it ended';

/** Caddy's own, from 14 on, takes more than a second of a processor for each wrong password. */
const hashCost = 10;

type RunningVariables = RunningCaddy['variables'];

/**
 * The Caddy of this machine, by its command and its own interface.
 * @param home - the home directory of its commands, which no other user may have prepared
 */
export function makeCaddy(env: NodeJS.ProcessEnv, home: string): Caddy {
  const { PATH } = env;
  const trial = join(home, 'trial');
  const run = async (args: readonly string[], variables: Record<string, string> = {}, place = home) => {
    await onStorage(`cannot make ${home}`, () => mkdir(home, { recursive: true, mode: 0o700 }));
    const own = { HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place };
    const options = { cwd: '/', env: { ...own, ...variables, PATH }, timeoutMs: commandMs };
    return (await runCommand(['caddy', ...args], options).catch(ignore(CommandFailed, throwFailure))).stdout;
  };
  /** Caddy's own form of its files. */
  const adapted = async (caddyfile: string, variables: RunningVariables) => {
    const args = ['adapt', '--config', caddyfile, '--adapter', 'caddyfile'];
    return asRecord(parseJson(await run(args, variables)));
  };
  /** The address of its own interface; `null` if that is off. */
  const admin = async (caddyfile: string, variables: RunningVariables) => {
    const { listen, disabled } = asRecord((await adapted(caddyfile, variables)).admin);
    if (disabled === true) return null;
    return typeof listen === 'string' ? listen.replace(/^:/, 'localhost:') : usualAdmin;
  };
  return {
    version: async () => (await run(['version'])).trim().split(' ', 1)[0] ?? '',
    // Only these files: with the whole configuration, Caddy would make log files that belong to root.
    async validate(files) {
      const main = join(trial, 'Caddyfile');
      const forget = () => rm(trial, { recursive: true, force: true });
      try {
        await onStorage(`cannot write ${trial}`, async () => {
          await forget(); // A killed run leaves it, with the hash of the login.
          await mkdir(trial, { recursive: true, mode: 0o700 });
          for (const [name, text] of files) await writeFile(join(trial, name), text);
          const head = '{\n\tadmin off\n\tskip_install_trust\n}\n';
          await writeFile(main, `${head}${importLine(trial)}\n`);
        });
        await run(['validate', '--config', main, '--adapter', 'caddyfile'], {}, trial);
      } finally {
        await forget();
      }
    },
    async reload(caddyfile, isForced) {
      // The owner's files may ask for variables (`{$NAME}`) that only the running Caddy has.
      const { variables, unit } = (await runningCaddy(env)) ?? { variables: undefined, unit: null };
      if (variables === undefined && unit !== null) return reloadUnit(unit, PATH);
      if ((await admin(caddyfile, variables)) === null) throw new CaddyFailed(noInterface(caddyfile), false);
      const force = isForced ? ['--force'] : [];
      await run(['reload', '--config', caddyfile, '--adapter', 'caddyfile', ...force], variables);
    },
    async hash(password) {
      const { hash } = await import('bcryptjs');
      return hash(password, hashCost);
    },
    async listens(caddyfile) {
      const { http } = asRecord((await adapted(caddyfile, (await runningCaddy(env))?.variables)).apps);
      const servers = Object.values(asRecord(asRecord(http).servers)).map(asRecord);
      return servers.flatMap(({ listen, routes }) => {
        const matches = asList(routes).flatMap((route) => asList(asRecord(route).match));
        const hosts = matches.flatMap((match) => asList(asRecord(match).host)).map(String);
        return asList(listen).flatMap((text) => listenPlace(text, hosts));
      });
    },
    async rootCertificate(caddyfile) {
      const address = await admin(caddyfile, (await runningCaddy(env))?.variables);
      if (address === null) return null;
      // Newer versions refuse the headers that `fetch` adds.
      const { status, text } = await probeHost(`http://${address}`, address, { path: '/pki/ca/local' });
      const found = status === 200 ? parseJson(text) : null;
      const { root_certificate: pem } = isJsonObject(found) ? found : {};
      return typeof pem === 'string' && pem.startsWith('-----BEGIN CERTIFICATE-----') ? pem : null;
    },
  };
}

async function reloadUnit(unit: string, PATH: string | undefined): Promise<void> {
  const failed = (error: CommandFailed) => {
    throw new CaddyFailed(`Caddy could not be reloaded: journalctl -u ${unit} says why`, false, error);
  };
  const options = { cwd: '/', env: { PATH }, timeoutMs: commandMs };
  await runCommand(['systemctl', 'reload', unit], options).catch(ignore(CommandFailed, failed));
}

/** `HOST:PORT`; other forms, such as that of a socket, are of no use to other devices. */
function listenPlace(text: unknown, hosts: string[]): ListenPlace[] {
  const [, v6, name = '', port] = /^(?:tcp\/)?(?:\[([^\]]+)\]|([^:/[\]]*)):(\d{1,5})$/.exec(String(text)) ?? [];
  return port === undefined ? [] : [{ address: v6 ?? name, port: Number(port), hosts }];
}

/** Caddy ends with one line `Error: …` behind its log. */
function throwFailure(error: CommandFailed): never {
  if (error.notFound) throw new CaddyFailed(install, true, error);
  if (error.timedOut)
    throw new CaddyFailed(`caddy ${error.argv[1]} did not end within ${commandMs / 1000} s`, true, error);
  const last = error.stderrTail.trim().split('\n').at(-1) ?? '';
  if (/connection refused|no such file or directory$/.test(last)) throw new CaddyFailed(start, true, error);
  throw new CaddyFailed(`Caddy says: ${last.replace(/^Error: /, '').slice(0, 500)}`, false, error);
}
