import { unknown } from '../model/failure.ts';
import type { EngineState } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { imageRows } from './images.ts';
import { printList, type Row } from './list.ts';
import { containerRow, labelsText, sizeText } from './views/describe.ts';
import { readFlags } from './views/flags.ts';

/** `docker system df -v` as JSON. No image shares a layer, and every volume takes the same. */
export async function diskUsage(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('system df', 'v/verbose format=', argv);
  const format = flags.text('format');
  if (!flags.has('verbose') || !format || flags.rest.length > 0) throw unknown('"system df" without -v and a --format');
  await faultPoint(call, 'system', ['df']);
  const state = engineState(call);
  const usage = {
    Images: state.images.flatMap((image) => {
      const size = { SharedSize: '0B', UniqueSize: sizeText(image.size) };
      const users = state.containers.filter(({ imageId }) => imageId === image.id).length;
      return imageRows(image, true, false, call.now()).map((row) => ({ ...row, ...size, Containers: `${users}` }));
    }),
    Containers: state.containers.map((one) => ({ ...containerRow(state, one, true, call.now()), Size: '0B' })),
    Volumes: state.volumes.map((volume) => volumeRow(state, volume)),
    BuildCache: [],
  };
  printList(call, [usage], format, []);
}

function volumeRow({ containers }: EngineState, { name, labels }: EngineState['volumes'][number]): Row {
  const users = containers.filter(({ mounts }) => mounts.some((mount) => mount.name === name));
  return {
    Availability: 'N/A',
    Driver: 'local',
    Group: 'N/A',
    Labels: labelsText(labels),
    Links: `${users.length}`,
    Mountpoint: `/var/lib/docker/volumes/${name}/_data`,
    Name: name,
    Scope: 'local',
    Size: '1.2MB',
    Status: 'N/A',
  };
}
