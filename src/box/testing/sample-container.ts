import type { Container } from '../engine/rules/container.ts';

/** A container of the service `web` that runs. */
export function sampleContainer(project: string, fields: Partial<Container> = {}): Container {
  return {
    id: `id of ${project}-web-1`,
    name: `${project}-web-1`,
    project,
    service: 'web',
    workingDirectory: `/apps/${project}`,
    oneOff: false,
    needs: [],
    networkOf: null,
    state: 'running',
    exitCode: 0,
    reason: '',
    health: null,
    startPeriodMs: 0,
    stopPeriodMs: 10_000,
    restarts: true,
    restartCount: 0,
    createdAt: 0,
    startedAt: 0,
    finishedAt: null,
    published: [],
    mounts: [],
    isOnHostNetwork: false,
    imageId: 'sha256:web',
    image: 'web:1',
    ...fields,
  };
}
