/**
 * The box's HTTP service with its checks, matcher and validators, around handlers that answer from memory.
 */

import { type BoxHandlers, boxService } from '../../src/box/api/service.ts';
import { operations } from '../../src/box/api/validators.gen.ts';
import { serveUntilSignal } from '../../src/http/serve.ts';

const answer = {
  status: 200,
  body: { name: 'notes', display_name: 'Notes', description: 'An app to measure with', fields: ['a', 'b'] },
};
const handlers = Object.fromEntries(operations.map(({ operationId }) => [operationId, () => answer]));
const own = { machineName: 'bench', allowedHosts: [], addresses: ['127.0.0.1'], tunnelAddresses: [], port: 0 };

await serveUntilSignal({
  host: '127.0.0.1',
  port: 0,
  service: boxService(handlers as unknown as BoxHandlers, own, '0.0.0', () => {}),
});
