import type { AddressPorts } from './ports.ts';

/**
 * Why visitors cannot use the port of an app, if it takes only HTTPS: the gateway's proxy sends it plain HTTP. Names a port
 * of the same app that takes HTTP. `null` for every other port.
 * @param address - where the ports of this box are asked
 */
export async function httpsOnlyProblem(
  { localPorts, containers, appDirectories }: Pick<AddressPorts, 'localPorts' | 'containers' | 'appDirectories'>,
  address: string,
  { port, appDirectory }: { port: number; appDirectory: string | null },
): Promise<string | null> {
  if ((await localPorts.speaks(address, port)) !== 'https') return null;
  const published = ((await containers()) ?? [])
    .filter(({ workingDirectory }) => appDirectories.isSame(appDirectory, workingDirectory))
    .flatMap((container) => container.published);
  const others = new Set(published.filter(({ protocol }) => protocol === 'tcp').map(({ hostPort }) => hostPort));
  others.delete(port);
  const found = `port ${port} takes only HTTPS, and the gateway's proxy sends it plain HTTP`;
  for (const other of others) {
    if ((await localPorts.speaks(address, other)) === 'http') {
      return `${found}: unpublish it, and publish the app's port ${other} with --port ${other}, which takes HTTP`;
    }
  }
  return `${found}: switch HTTPS off in the app's own settings, or let it publish a port that takes HTTP`;
}
