import type { BoxEnvironment } from '../../../fakes/box-environment.ts';
import type { Exchange } from '../../kernel/exchange.ts';
import type { Held } from '../../run/check-run.ts';
import { recordFurnishing } from './setup-recorder.ts';

/** What a check of the box holds in its hands. */
export type Box = Held<BoxEnvironment> & {
  install: (name: string, settings?: Record<string, unknown>) => Promise<Exchange>;
  changeSettings: (name: string, settings: Record<string, unknown>) => Promise<Exchange>;
  updateApp: (name: string) => Promise<Exchange>;
  remove: (name: string) => Promise<Exchange>;
};

export function holdBox(held: Held<BoxEnvironment>): Box {
  const { post } = held;
  return {
    ...held,
    world: recordFurnishing(held.world, held.journal),
    install: (name, settings) =>
      post('/api/apps/install', settings === undefined ? { name } : { name, settings }),
    changeSettings: (name, settings) => post(`/api/apps/${name}/settings`, { settings }),
    updateApp: (name) => post(`/api/apps/${name}/update`),
    remove: (name) => post('/api/apps/remove', { name }),
  };
}
