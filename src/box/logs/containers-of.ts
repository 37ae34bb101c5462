import { containersByApp } from '../apps/containers-by-app.ts';
import type { BoxPorts } from '../ports.ts';
import type { Container } from '../rules/reconcile/container.ts';

/** The containers of an app now. Throws ContainersFailed if they are unknown. */
export async function containersOf(box: BoxPorts, name: string): Promise<Container[]> {
  const { containers, failure } = await box.observer.look();
  if (failure !== null) throw failure;
  return containersByApp(box, containers, box.apps.all('installed'), box.records.load()).get(name) ?? [];
}
