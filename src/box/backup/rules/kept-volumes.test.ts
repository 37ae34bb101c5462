import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { fittingVolumes, keptVolumes, keptVolumesText } from './kept-volumes.ts';

const kept = [
  { name: 'f00', at: [{ service: 'db', target: '/da$ta' }] },
  {
    name: 'f01',
    at: [
      { service: 'db', target: '/log' },
      { service: 'web', target: '/log' },
    ],
  },
];

test('a list of kept volumes is a Compose file that gives them to their services', () => {
  const { services, volumes } = JSON.parse(keptVolumesText(kept));
  deepEqual(services.db.volumes, [
    { type: 'volume', source: 'boxgate-kept-0', target: '/da$$ta' },
    { type: 'volume', source: 'boxgate-kept-1', target: '/log' },
  ]);
  deepEqual(volumes, { 'boxgate-kept-0': { name: 'f00' }, 'boxgate-kept-1': { name: 'f01' } });
});

test('reads what was written, and nothing else', () => {
  deepEqual(keptVolumes(keptVolumesText(kept)), kept);
  deepEqual(keptVolumes('['), []);
});

test('leaves out what the Compose files have no place for any more', () => {
  const uses = (target: string) => ({ name: target, at: [{ service: 'db', target }] });
  const all = ['/free', '/own', '/named', '/folder', '/memory', '/tm$p'].map(uses);
  const db = {
    tmpfs: ['/tm$$p:size=1m'],
    volumes: [
      { type: 'volume', target: '/own' },
      { type: 'volume', source: 'rows', target: '/named/' },
      { type: 'bind', source: '/x', target: '/folder' },
      { type: 'tmpfs', target: '/memory' },
    ],
  };
  deepEqual(fittingVolumes([...kept, ...all], { services: { db } }), [
    kept[0],
    { name: 'f01', at: [{ service: 'db', target: '/log' }] },
    uses('/free'),
    uses('/own'),
  ]);
  deepEqual(fittingVolumes(kept, null), []);
});
