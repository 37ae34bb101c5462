import type { BoxPorts, ComposeProject, OnProgress } from '../ports.ts';
import type { Container } from '../rules/reconcile/container.ts';
import { halfReplaced } from '../rules/reconcile/interrupted-recreate.ts';

/** Brings up a project, or some of its services. `before` are the containers before that. */
export async function bringUp(
  box: Pick<BoxPorts, 'containers'>,
  compose: ComposeProject,
  before: readonly Container[],
  only?: readonly string[],
  onProgress?: OnProgress,
): Promise<void> {
  onProgress?.({ step: 'starting' });
  await box.containers.removeContainers(halfReplaced(before, compose.project).map(({ id }) => id));
  await box.containers.up(compose, only, onProgress);
}
