import { findContainer } from '../model/containers.ts';
import { Failure } from '../model/failure.ts';
import { findImage } from '../model/images.ts';
import { parseReference } from '../model/reference.ts';
import type { EngineState } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { readFlags } from './views/flags.ts';
import { containerView, imageView, volumeView } from './views/inspect-view.ts';
import { renderTemplate } from './views/template.ts';

export type Kind = 'container' | 'image' | 'volume';
type View = Record<string, unknown>;

const finders: Record<Kind, (state: EngineState, name: string) => View | undefined> = {
  container: (state, name) => {
    const found = findContainer(state, name);
    return found && containerView(found);
  },
  image: (state, name) => {
    const found = findImage(state, name);
    return found && imageView(found);
  },
  volume: (state, name) => {
    const found = state.volumes.find((one) => one.name === name);
    return found && volumeView(found);
  },
};
const order: readonly Kind[] = ['container', 'image'];

/** `docker inspect` (of anything) and `docker container|image|volume inspect`. */
export async function inspect(call: Call, argv: readonly string[], kind: Kind | null): Promise<void> {
  const command = kind ? `${kind} inspect` : 'inspect';
  const flags = readFlags(command, kind ? 'f/format=' : 'f/format= type= s/size', argv);
  if (flags.rest.length === 0) throw new Failure(1, `"docker ${command}" requires at least 1 argument.`);
  const format = flags.text('format');
  const nothing = () => call.out(format ? '\n' : '[]\n');
  const state = await stateOr(call, command, flags.rest, nothing);
  const asked = (flags.text('type') || kind) as Kind | null;
  const views: View[] = [];
  const missing: string[] = [];
  for (const name of flags.rest) {
    const view = findAny(state, name, asked ? [asked] : order);
    if (view) views.push(view);
    else missing.push(missingText(asked, name));
  }
  if (views.length === 0) nothing();
  else print(call, views, format);
  if (missing.length > 0) throw new Failure(1, missing.join('\n'));
}

/** Returns the state. On failure, first prints an empty result like the client. */
async function stateOr(
  call: Call,
  command: string,
  names: readonly string[],
  nothing: () => void,
): Promise<EngineState> {
  try {
    await faultPoint(call, command, names);
    return engineState(call);
  } catch (error) {
    nothing();
    throw error;
  }
}

function findAny(state: EngineState, name: string, kinds: readonly Kind[]): View | undefined {
  for (const kind of kinds) {
    const view = finders[kind](state, name);
    if (view) return view;
  }
  return undefined;
}

function missingText(kind: Kind | null, name: string): string {
  if (!kind) return `Error: No such object: ${name}`;
  if (kind === 'volume') return `Error response from daemon: get ${name}: no such volume`;
  const shown = kind === 'image' ? (parseReference(name)?.familiar ?? name) : name;
  return `Error response from daemon: No such ${kind}: ${shown}`;
}

function print(call: Call, views: readonly View[], format: string | undefined): void {
  if (!format || format === 'json') {
    call.out(format ? `${JSON.stringify(views)}\n` : `${JSON.stringify(views, null, 4)}\n`);
    return;
  }
  for (const view of views) call.out(`${filled(call, format, view)}\n`);
}

function filled(call: Call, format: string, view: View): string {
  try {
    return renderTemplate(format, view);
  } catch (error) {
    call.out('\n');
    throw error;
  }
}
