import { asRecord, type Fields } from '../compose/fields.ts';
import { type Draft, fillIn } from './draft.ts';
import { splitOutsideBraces } from './store-ports.ts';
import { leaveOut, listed, oneLine } from './translation.ts';

/** Where a path of the store's machine is here; `null` for any other path. */
export type Place = (path: string) => string | null;

type Mount = { type: string; source: string; target: string; readOnly: boolean; selinux?: string };

const volumeName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

type Service = { service: string; mounts: readonly unknown[]; place: Place; volumes: Set<string> };

/** The mounts of a service in Compose's long form. Names of volumes are added to `volumes`; paths outside are noted. */
export function mountsOf(draft: Draft, { service, mounts, place, volumes }: Service): Fields[] {
  const outside: string[] = [];
  const all = mounts.map((mount) => {
    const { type, source, target, readOnly, selinux } = readMount(draft, service, mount);
    if (!target.startsWith('/'))
      leaveOut(`its service ${service} mounts something at ${JSON.stringify(oneLine(target))}`);
    if (type === 'tmpfs') return { type, target };
    if (!['', 'bind', 'volume'].includes(type)) leaveOut(`its service ${service} has a mount of the type ${type}`);
    const own = source === '' ? '' : ownSource(source, place, type);
    const at = own ?? source;
    const isVolume = at === '' || volumeName.test(at);
    if (at !== '' && isVolume) volumes.add(at);
    // A variable may lead out of the app's folder.
    if (own === null || source.includes('$')) outside.push(at);
    const bind = { ...(selinux && { selinux }), create_host_path: true };
    return {
      type: isVolume ? 'volume' : 'bind',
      ...(at === '' ? {} : { source: at }),
      target,
      ...(readOnly && { read_only: true }),
      ...(isVolume ? {} : { bind }),
    };
  });
  if (outside.length > 0)
    draft.notes.add(`Service ${service} mounts paths of this machine: ${listed(outside, Number.POSITIVE_INFINITY)}.`);
  return all;
}

/** The source that a mount gets: the app's own folder, a setting or a volume; `null` for a path of the machine. */
function ownSource(source: string, place: Place, type: string): string | null {
  const shown = JSON.stringify(oneLine(source));
  if (source.split(/[/:}?+-]/).includes('..')) leaveOut(`it mounts a folder outside of its own: ${shown}`);
  if (/\p{Cc}/u.test(source)) leaveOut(`it mounts a folder with an odd name: ${shown}`);
  const own = place(source);
  if (own !== null) return own;
  if (type !== 'bind' && volumeName.test(source)) return source;
  if (/^[/~$]/.test(source)) return null;
  return leaveOut(`it mounts ${shown}, which comes from neither the app's folder nor this machine`);
}

function readMount(draft: Draft, service: string, mount: unknown): Mount {
  if (typeof mount === 'string') return shortMount(draft, service, mount);
  const { type, source, target, read_only, bind, ...others } = asRecord(mount);
  const { selinux, create_host_path, ...bindOthers } = asRecord(bind);
  const lost = [...Object.keys(others), ...Object.keys(bindOthers)];
  if (lost.length > 0) noteLost(draft, service, lost);
  return {
    type: oneLine(type),
    source: pathIn(draft, source),
    target: fillIn(draft, typeof target === 'string' ? target : ''),
    readOnly: read_only === true,
    ...((selinux === 'z' || selinux === 'Z') && { selinux }),
  };
}

function shortMount(draft: Draft, service: string, text: string): Mount {
  const [first = '', second, options = ''] = splitOutsideBraces(text);
  const words = options.split(',').filter((word) => word !== '' && word !== 'rw');
  const lost = words.filter((word) => !['ro', 'z', 'Z'].includes(word));
  if (lost.length > 0) noteLost(draft, service, lost);
  const selinux = words.find((word) => word.toLowerCase() === 'z');
  return {
    type: '',
    source: second === undefined ? '' : pathIn(draft, first),
    target: fillIn(draft, second ?? first),
    readOnly: words.includes('ro'),
    ...(selinux !== undefined && { selinux }),
  };
}

function noteLost(draft: Draft, service: string, lost: readonly string[]): void {
  draft.notes.add(`${listed(lost)} of a mount of service ${service} is not known here and was left out.`);
}

function pathIn(draft: Draft, source: unknown): string {
  return typeof source === 'string' ? fillIn(draft, source, draft.paths) : '';
}
