import type { Fault } from './fault.ts';
import { moved, setting } from './gateway-fault.ts';

export const settingFaults: Fault[] = [
  { name: 'mode-ignored', kills: 'gateway/registerBox/other-mode', ...setting('GATEWAY_MODE', () => 'single') },
  { name: 'any-mode-that-begins-so', kills: 'gateway/registerBox/other-mode', ...setting('GATEWAY_MODE', (v) => (v?.startsWith('single') ? 'single' : v)) },
  { name: 'unset-secret-is-a-word', kills: 'gateway/registerBox/secret-unset', ...setting('GATEWAY_BOX_TOKEN', (v) => v ?? 'undefined') },
  { name: 'empty-secret-is-a-blank', kills: 'gateway/registerBox/secret-empty', ...setting('GATEWAY_BOX_TOKEN', (v) => v || ' ') },
  { name: 'box-limit-one-more', kills: 'gateway/limits/boxes', ...moved('GATEWAY_BOX_LIMIT', 1) },
  { name: 'box-limit-one-less', kills: 'gateway/limits/boxes', ...moved('GATEWAY_BOX_LIMIT', -1) },
  { name: 'route-limit-one-more', kills: 'gateway/limits/routes', ...moved('GATEWAY_ROUTE_LIMIT', 1) },
  { name: 'route-limit-one-less', kills: 'gateway/limits/routes', ...moved('GATEWAY_ROUTE_LIMIT', -1) },
  { name: 'no-default-box-limit', kills: 'gateway/limits/defaults', ...setting('GATEWAY_BOX_LIMIT', (v) => v ?? '100') },
  { name: 'other-default-route-limit', kills: 'gateway/limits/defaults', ...setting('GATEWAY_ROUTE_LIMIT', (v) => v ?? '19') },
  { name: 'zero-is-no-limit', kills: 'gateway/limits/zero', ...setting('GATEWAY_ROUTE_LIMIT', (v) => (v === '0' ? '1000' : v)) },
  { name: 'reserved-names-ignored', kills: 'gateway/publishRoute/reserved', ...setting('GATEWAY_RESERVED_SUBDOMAINS', () => undefined) },
  { name: 'resolver-ignored', kills: 'gateway/route-files/cert-resolver', ...setting('GATEWAY_CERT_RESOLVER', () => undefined) },
  { name: 'resolver-always', kills: 'gateway/route-files/no-cert-resolver', ...setting('GATEWAY_CERT_RESOLVER', () => 'wharf-letters') },
  { name: 'entry-point-ignored', kills: 'gateway/route-files/entry-point', ...setting('GATEWAY_ENTRYPOINT', () => undefined) },
  { name: 'entry-point-other-default', kills: 'gateway/route-files/no-cert-resolver', ...setting('GATEWAY_ENTRYPOINT', (v) => v ?? 'seaside') },
  { name: 'domain-with-www', kills: 'gateway/route-files/published', ...setting('GATEWAY_DOMAIN', (v) => `www.${v}`) },
  { name: 'domain-has-a-default', kills: 'gateway/process/missing-domain', ...setting('GATEWAY_DOMAIN', (v) => v ?? 'example.org') },
  { name: 'routes-elsewhere', kills: 'gateway/route-files/published', ...setting('GATEWAY_ROUTES_DIR', (v) => `${v}-elsewhere`) },
  { name: 'forgets-at-a-stop', kills: 'gateway/process/state-directory', ...setting('GATEWAY_STORE', (v) => v ?? 'memory:') },
  { name: 'forgets-at-a-kill', kills: 'gateway/store/killed', ...setting('GATEWAY_STORE', (v) => v ?? 'memory:') },
  { name: 'store-address-ignored', kills: 'gateway/store/file', ...setting('GATEWAY_STORE', () => undefined) },
  { name: 'memory-is-kept', kills: 'gateway/store/memory', ...setting('GATEWAY_STORE', () => undefined) },
  { name: 'always-admin', kills: 'gateway/tunnel/version-15-4', ...setting('GATEWAY_TUNNEL_USERNAME', () => 'admin') },
  { name: 'secret-files-ignored', kills: 'gateway/process/secret-files', ...setting('GATEWAY_BOX_TOKEN_FILE', () => undefined) },
  { name: 'bad-limit-taken-for-none', kills: 'gateway/process/bad-value', ...setting('GATEWAY_BOX_LIMIT', (v) => (v === 'many' ? '10' : v)) },
]; // biome-ignore format: a table

export const processFaults: Fault[] = [
  { name: 'access-log', kills: 'gateway/process/no-access-log', process: 'logs' },
  { name: 'talks-on-standard-output', kills: 'gateway/process/ready-line', process: 'talks' },
  { name: 'stops-with-1', kills: 'gateway/process/sigterm', process: 'ends-with-1' },
  { name: 'cuts-off-at-a-stop', kills: 'gateway/process/sigterm', process: 'kills-on-signal' },
  { name: 'accepts-while-it-stops', kills: 'gateway/process/sigint', process: 'closes-late' },
  { name: 'pipelined-requests-side-by-side', kills: 'gateway/http/pipelined', process: 'side-by-side' },
  { name: 'listens-everywhere', kills: 'gateway/process/host-and-port', process: 'ignores-host' },
];
