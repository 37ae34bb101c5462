import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../fakes/ports.ts';
import { climbedName } from '../../../../fakes/release-archive.ts';
import { quoted } from '../../../environments/recorder.ts';
import { CheckFailed, equal, isObject, record, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { BoxContext } from '../context.ts';
import { byHand } from '../disk.ts';

/** The state of an update, from its file or from a response. */
export type State = Record<string, unknown>;

/** The implementation as a service: a version in the software folder, run by the service manager. */
export type InstalledBox = {
  version: string;
  /** The sorted names in the software folder, and the target of `current`. */
  layout: () => { names: string[]; current: string };
  /** Sends a request to the service, whichever version it is. */
  ask: (method: string, path: string) => Promise<{ status: number; server: string; body: unknown }>;
  state: () => Promise<State>;
  apply: () => Promise<void>;
  /** Waits for the final state of the latest update. */
  ended: () => Promise<State>;
  /** The files that an archive wrote outside its own folder. */
  climbed: () => string[];
};

export type Installation = {
  /** The URL of the feed. Defaults to the environment's. */
  feed?: string;
  /** The unit in `BOX_UNIT`. Defaults to the service's own. */
  unit?: string;
  /** How long a new version may take to answer. */
  waitSeconds?: number;
  /** Other versions in the software folder. */
  others?: readonly string[];
};

/** Installs the implementation under test as a service of the environment, and starts it. */
export async function installBox(
  box: BoxContext,
  { feed = box.environment.feed.url, unit, waitSeconds = 60, others = [] }: Installation = {},
): Promise<InstalledBox> {
  const { environment } = box;
  const { current } = record(await box.post('/api/self/update/check'));
  await box.stop();
  const version = String(current);
  for (const name of [version, ...others]) putVersion(box, name);
  symlinkSync(version, join(environment.softwareDir, 'current'));
  const service = `boxgate-conformance-${randomBytes(6).toString('hex')}.service`;
  const port = await freePort();
  environment.systemd.addService(service, {
    argv: [join(environment.softwareDir, 'current', 'bin', 'boxgate'), 'box', 'serve'],
    environment: {
      ...environment.env(),
      BOX_PORT: String(port),
      BOX_RELEASE_FEED: feed,
      BOX_UNIT: unit ?? service,
      BOX_UPDATE_WAIT: String(waitSeconds),
    },
  });
  await byHand(box, 'systemctl', '/', 'start', service);
  const installed = viewOf(box, version, `http://127.0.0.1:${port}`);
  await answersAs(installed, version);
  return installed;
}

/** Waits until a version answers. */
export async function answersAs(installed: InstalledBox, version: string): Promise<void> {
  await until(`version ${version} answers`, async () => {
    const answer = await installed.ask('GET', '/api/self/update/status').catch(() => null);
    return answer?.server === `boxgate/${version}` && answer.status === 200;
  });
}

/** Adds a version whose program is the implementation under test. */
export function putVersion({ environment, argv }: BoxContext, name: string): void {
  const folder = join(environment.softwareDir, name);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const command = argv.map(quoted).join(' ');
  const program = join(folder, 'bin', 'boxgate');
  writeFileSync(program, `#!/bin/sh\ncd ${quoted(process.cwd())} && exec ${command}\n`);
  chmodSync(program, 0o755);
}

function viewOf({ environment }: BoxContext, version: string, address: string): InstalledBox {
  let before: unknown;
  const ask: InstalledBox['ask'] = async (method, path) => {
    const answer = await fetch(`${address}${path}`, { method, signal: AbortSignal.timeout(5000) });
    const server = answer.headers.get('server') ?? '';
    return { status: answer.status, server, body: await answer.json() };
  };
  const state = async () => {
    const { body } = await ask('GET', '/api/self/update/status');
    if (!isObject(body)) throw new CheckFailed('the state is an object', true, body);
    return body;
  };
  return {
    version,
    layout: () => ({
      names: readdirSync(environment.softwareDir).sort(),
      current: readlinkSync(join(environment.softwareDir, 'current')),
    }),
    ask,
    state,
    apply: async () => {
      before = (await state()).attempt;
      const answer = await ask('POST', '/api/self/update/apply');
      status({ status: answer.status, text: JSON.stringify(answer.body) }, 202);
    },
    ended: async () => {
      await until(
        'the update ends',
        () => {
          const { stage, attempt } = readState(environment.stateDir);
          return attempt !== before && (stage === 'done' || stage === 'rolled_back');
        },
        60_000,
      );
      await until('its job ends', () => environment.systemd.units().length === 1);
      return readState(environment.stateDir);
    },
    climbed: () =>
      readdirSync(environment.root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(climbedName)),
  };
}

/** Reads the state file, which has to be complete. Returns an empty state before the first update. */
export function readState(stateDir: string): State {
  let text: string;
  try {
    text = readFileSync(join(stateDir, 'update-state.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as State;
  } catch {
    throw new CheckFailed('update-state.json is whole at every moment', 'JSON', text);
  }
}

/** Verifies that the previous version runs, that nothing of the update is left, and that the state has a reason. */
export async function isAsBefore(
  installed: InstalledBox,
  end: State,
  { release, outcome }: { release: string; outcome: 'unchanged' | 'reverted' },
): Promise<void> {
  const { version } = installed;
  equal(`stage and outcome of a release ${release}`, [end.stage, end.outcome], ['rolled_back', outcome]);
  const isReason = typeof end.reason === 'string' && end.reason.trim() !== '';
  equal(`a reason to refuse a release ${release}`, isReason, true);
  equal(`the software folder after a release ${release}`, installed.layout(), {
    names: [version, 'current'].sort(),
    current: version,
  });
  equal(`files outside the version of a release ${release}`, installed.climbed(), []);
  await answersAs(installed, version);
}
