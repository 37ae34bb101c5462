import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { StorageFailed } from '../../core.ts';
import { CertificateFailed, type Certificates } from '../ports.ts';
import { credentialsProblem } from '../rules/credentials.ts';

const mostBytes = 256 * 1024;
const commandMs = 20_000;
/** A provider may take minutes until its name servers know a record. */
const obtainMs = 20 * 60_000;
const renewDays = '30';

/** Certificates by lego, from its folder `https-acme/` in the state directory. */
export function makeLego(stateDirectory: string, env: NodeJS.ProcessEnv): Certificates {
  const folder = join(stateDirectory, 'https-acme');
  const variablesIn = (file: string) => {
    const bytes = readRegularFile(file, mostBytes, 'followed');
    return bytes === null ? null : parseEnv(Buffer.from(bytes).toString('utf8'));
  };
  const run = (args: readonly string[], file: string, timeoutMs: number) => {
    const secrets = variablesIn(file) ?? {};
    const variablesOfLego = { PATH: env.PATH, HOME: folder, ...secrets };
    return runCommand(['lego', ...args], { cwd: '/', env: variablesOfLego, timeoutMs }).catch((error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      throw failureOf(error, Object.values(secrets));
    });
  };
  return {
    async missing({ provider, variables: file }, typed) {
      const { stdout } = await run(['dnshelp', '--code', provider], file, commandMs);
      if (typed !== null) return credentialsProblem(provider, Object.keys(parseEnv(typed)), stdout);
      if (variablesIn(file) !== null) return null;
      return `there is no ${file}: write the variables of ${provider} into it, which lego dnshelp --code ${provider} lists, then chmod 600 ${file}`;
    },
    async obtain({ domain, certificate: { provider, email, server, resolver, variables: file } }) {
      // An authority for trials has other certificates.
      const path = join(folder, server === null ? 'usual' : encodeURIComponent(new URL(server).host));
      await onStorage(`cannot make ${path}`, () => mkdir(path, { recursive: true, mode: 0o700 }));
      const [certificate, key] = ['crt', 'key'].map((kind) => join(path, 'certificates', `${domain}.${kind}`));
      const isThere = existsSync(certificate ?? '');
      const args = [
        ...['--accept-tos', '--path', path, '--email', email, '--dns', provider],
        ...(server === null ? [] : ['--server', server]),
        ...(resolver === null ? [] : ['--dns.resolvers', resolver, '--dns.disable-cp']),
        ...['--domains', domain, '--domains', `*.${domain}`],
      ];
      await run(
        [...args, ...(isThere ? ['renew', '--days', renewDays, '--no-random-sleep'] : ['run'])],
        file,
        obtainMs,
      );
      try {
        return [certificate, key].map((file) => readFileSync(file ?? '', 'utf8')).join('\n');
      } catch (error) {
        throw new StorageFailed(`lego wrote no certificate for ${domain} into ${path}`, { cause: error });
      }
    },
    forget: () => onStorage(`cannot remove ${folder}`, () => rm(folder, { recursive: true, force: true })),
  };
}

function failureOf(error: CommandFailed, secrets: readonly (string | undefined)[]): CertificateFailed {
  if (error.notFound) return new CertificateFailed('there is no program lego: sudo apt install lego', { cause: error });
  if (error.timedOut) return new CertificateFailed('lego did not get a certificate in time', { cause: error });
  const lines = error.stderrTail.trim().split('\n');
  const last = lines.find((line) => line.startsWith('panic:')) ?? lines.slice(-3).join(' ');
  const hidden = secrets.reduce<string>(
    (text, one = '') => (one.length < 4 ? text : text.replaceAll(one, '***')),
    last,
  );
  return new CertificateFailed(`lego says: ${hidden.slice(0, 800)}`, { cause: error });
}
