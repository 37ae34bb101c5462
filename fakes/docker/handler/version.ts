import { Failure } from '../model/failure.ts';
import { cannotConnect } from '../model/faults.ts';
import { type EngineState, versions } from '../model/state.ts';
import { type Call, faultPoint, hostOf } from './call.ts';
import { readFlags } from './views/flags.ts';
import { renderTemplate } from './views/template.ts';

/** `docker version`. Without an engine it prints the client part and exits with 1. */
export async function version(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('version', 'f/format=', argv);
  await faultPoint(call, 'version', []);
  const state = call.read();
  const format = flags.text('format');
  const view = versionView(state);
  if (format === 'json') call.out(`${JSON.stringify(view)}\n`);
  else if (!format) call.out(versionText(state));
  else call.out(state.running || !/\.Server/.test(format) ? `${renderTemplate(format, view)}\n` : '\n');
  if (!state.running) throw new Failure(1, cannotConnect(hostOf(call)));
}

function versionView(state: EngineState) {
  const { engine } = versions;
  const common = {
    Version: engine,
    ApiVersion: '1.45',
    GoVersion: 'go1.22',
    Os: 'linux',
    Arch: 'amd64',
    GitCommit: 'fake',
  };
  const server = {
    Platform: { Name: 'boxgate fake engine' },
    ...common,
    MinAPIVersion: '1.24',
    KernelVersion: '6.1.0',
  };
  return { Client: { ...common, Context: 'default' }, Server: state.running ? server : null };
}

function versionText(state: EngineState): string {
  const { engine } = versions;
  const client = `Client:\n Version:           ${engine}\n API version:       1.45\n OS/Arch:           linux/amd64\n Context:           default\n`;
  if (!state.running) return client;
  return `${client}\nServer: boxgate fake engine\n Engine:\n  Version:          ${engine}\n  API version:      1.45 (minimum version 1.24)\n  OS/Arch:          linux/amd64\n`;
}

/** `docker info`, with the common fields. */
export async function info(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('info', 'f/format=', argv);
  await faultPoint(call, 'info', []);
  const format = flags.text('format');
  const state = call.read();
  if (!state.running) return infoWithoutEngine(call, format);
  const running = state.containers.filter((one) => one.status === 'running').length;
  const view = {
    ID: 'boxgate-fake',
    Containers: state.containers.length,
    ContainersRunning: running,
    ContainersPaused: 0,
    ContainersStopped: state.containers.length - running,
    Images: state.images.length,
    Driver: 'overlay2',
    OperatingSystem: 'boxgate fake engine',
    OSType: 'linux',
    Architecture: 'x86_64',
    ServerVersion: versions.engine,
    DockerRootDir: '/var/lib/docker',
    Name: 'fake',
    ClientInfo: { Context: 'default', Plugins: [{ Name: 'compose', Version: versions.compose }] },
  };
  if (format) return call.out(`${format === 'json' ? JSON.stringify(view) : renderTemplate(format, view)}\n`);
  call.out(
    `Client:\n Context:    default\n\nServer:\n Containers: ${view.Containers}\n  Running: ${running}\n Images: ${view.Images}\n Server Version: ${view.ServerVersion}\n`,
  );
}

/** With a format the client exits with 0, despite the error. */
function infoWithoutEngine(call: Call, format: string | undefined): void {
  const words = cannotConnect(hostOf(call));
  if (!format) {
    call.out('Client:\n Context:    default\n\nServer:\n');
    throw new Failure(1, `ERROR: ${words}\nerrors pretty printing info`);
  }
  call.out('\n');
  call.err(`${words}\n`);
}
