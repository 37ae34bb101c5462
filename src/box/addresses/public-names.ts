import { again } from '../../lib/coalesce.ts';
import { shownName } from '../../lib/shown-text.ts';
import { followApps } from './follow-apps.ts';
import { holdPorts, shutPorts } from './open-ports.ts';
import type { AddressPorts, PublicNames } from './ports.ts';
import { examineTunnel, problemsOf } from './status.ts';

/** Time limit for the gateway when an app is removed. */
const removalMs = 10_000;

const later = 'boxgate-heartbeat.timer tries again';

export function publicNames(ports: AddressPorts, withinMs = removalMs): PublicNames {
  const { warn } = ports;
  const follow = again(
    async () => {
      const { lines } = await followApps(ports, { retries: false });
      for (const line of lines) warn(shownName(line));
    },
    (reason) => warn(`public names do not follow their apps yet: ${shownName(reason)}; ${later}`),
  );
  const change = async (changePorts: typeof holdPorts, directory: string) => {
    try {
      await changePorts(ports, directory);
    } catch (error) {
      warn(`the published ports of ${shownName(directory)} stay as they are: ${shownName((error as Error).message)}`);
    }
  };
  return {
    follow,
    hold: (directory) => change(holdPorts, directory),
    release: (directory) => change((ports, app) => shutPorts(ports, app, 'changing'), directory).then(follow),
    shut: (directory) => void change((ports, app) => shutPorts(ports, app, null), directory).then(follow),
    async problems() {
      try {
        if (ports.files.read() === null) return null;
        const { status } = await examineTunnel(ports);
        const { tunnel, tunnel_problem: own } = status;
        return problemsOf(status, own === null ? null : `the tunnel is ${tunnel}: ${own}`);
      } catch (error) {
        return [shownName((error as Error).message)];
      }
    },
    async withdrawRemoved() {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`it takes longer than ${withinMs / 1000} s`)), withinMs).unref();
      });
      try {
        const { lines } = await Promise.race([followApps(ports), late]);
        return lines.map(shownName);
      } catch (error) {
        return [
          `the public route of a removed app is not withdrawn yet: ${shownName((error as Error).message)}; ${later}`,
        ];
      }
    },
  };
}
