import type { CheckedBoxEnvironment } from '../../environments/box-environment.ts';
import type { CheckContext } from '../../kernel/context.ts';
import type { Exchange } from '../../kernel/exchange.ts';

import { recordSetup } from './setup-recorder.ts';

/** The context of a box's check. */
export type BoxContext = CheckContext<CheckedBoxEnvironment> & {
  install: (name: string, settings?: Record<string, unknown>) => Promise<Exchange>;
  changeSettings: (name: string, settings: Record<string, unknown>) => Promise<Exchange>;
  updateApp: (name: string) => Promise<Exchange>;
  remove: (name: string) => Promise<Exchange>;
};

export function openBoxContext(held: CheckContext<CheckedBoxEnvironment>): BoxContext {
  const { post } = held;
  return {
    ...held,
    environment: recordSetup(held.environment, held.journal),
    install: (name, settings) => post('/api/apps/install', settings === undefined ? { name } : { name, settings }),
    changeSettings: (name, settings) => post(`/api/apps/${name}/settings`, { settings }),
    updateApp: (name) => post(`/api/apps/${name}/update`),
    remove: (name) => post('/api/apps/remove', { name }),
  };
}
