import { parse, stringify } from 'yaml';
import { registry } from './registry.ts';

type Service = {
  image: string;
  entrypoint?: string[];
  command?: unknown;
  healthcheck?: unknown;
  depends_on?: unknown;
  network_mode?: string;
  ports?: string[];
  ulimits?: unknown;
  volumes?: { type: string; source?: string }[];
};

/**
 * The Compose file of a translated app with one small image for all services, which answers at the port of the app's
 * page. Nothing of this machine is mounted, so that a test changes nothing outside of its folders.
 */
export function withStandIns(compose: string, page: number): string {
  const document = parse(compose) as { services: Record<string, Service> };
  const services = Object.values(document.services);
  const ending = new Set(services.flatMap(({ depends_on }) => awaited(depends_on)));
  for (const [name, service] of Object.entries(document.services)) {
    service.image = `${registry}/web:1`;
    service.entrypoint = ending.has(name) ? ['true'] : ['httpd', '-f', '-p', insidePort(service, page), '-h', '/www'];
    delete service.command;
    delete service.ulimits; // An engine without root of the machine cannot raise them.
    if (service.healthcheck !== undefined) service.healthcheck = { test: ['CMD', 'true'], interval: '1s' };
    service.volumes = (service.volumes ?? []).filter(
      ({ type, source = '' }) => type !== 'bind' || /^\.\/|:-\.\//.test(source),
    );
  }
  return stringify(document, { aliasDuplicateObjects: false });
}

/** The services that have to end before another one starts. */
function awaited(dependsOn: unknown): string[] {
  if (typeof dependsOn !== 'object' || dependsOn === null || Array.isArray(dependsOn)) return [];
  const all = Object.entries(dependsOn as Record<string, { condition?: string }>);
  return all.filter(([, { condition }]) => condition === 'service_completed_successfully').map(([name]) => name);
}

/** The port inside a container that is published as the app's page; any other service has one of its own. */
function insidePort({ ports = [], network_mode }: Service, page: number): string {
  if (network_mode === 'host') return String(page);
  const published = ports.find((port) => port.startsWith('${APP_PORT'));
  const inside = published?.replace(/^\$\{[^}]*\}:/, '').replace(/\/\w+$/, '') ?? '8099';
  return /^\d+$/.test(inside) ? inside : String(page);
}
