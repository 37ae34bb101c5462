import type { BoxEnvironment } from '../../../fakes/box-environment.ts';
import { openBoxEnvironment } from '../../environments/box-environment.ts';
import { boxProfileChecks } from '../../profile/box/checks.ts';
import { type Evidence, shownCalls } from '../../report/evidence.ts';
import type { Api } from '../../run/api.ts';
import { boxChecks } from './checks.ts';
import { type BoxContext, openBoxContext } from './context.ts';
import { boxContract } from './contract.ts';
import { resetBox } from './reset.ts';

/** The latest calls of `docker` and of the service manager in this environment. */
function callEvidence({ docker, systemd }: BoxEnvironment, since: number): Evidence[] {
  const dockerLines = docker.calls().map(({ argv, at, status }) => {
    const time = at === undefined ? '' : `+${at - since} ms `;
    return `${time}docker ${argv.join(' ')}${at === undefined ? '' : ` → ${status ?? 'not ended'}`}`;
  });
  const systemdLines = systemd.calls().map((argv) => argv.join(' '));
  return [
    { about: 'calls of docker, with their exit status', lines: dockerLines.slice(-shownCalls) },
    { about: 'calls of the service manager', lines: systemdLines.slice(-shownCalls) },
  ].filter(({ lines }) => lines.length > 0);
}

export const boxApi: Api<BoxContext> = {
  name: 'box',
  checks: boxChecks,
  profileChecks: boxProfileChecks,
  makeEnvironment: ({ parts, browser }) => openBoxEnvironment(parts, browser),
  openContext: openBoxContext,
  reset: resetBox,
  surroundings: callEvidence,
  contract: boxContract,
  smokePath: '/api/apps',
};
