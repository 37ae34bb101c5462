import { parseJson } from '../../../../lib/json.ts';
import { asList, asRecord, type Fields } from '../../../rules/compose/fields.ts';
import type { Draft } from '../../../rules/translate/draft.ts';
import type { StoreService } from '../../../rules/translate/store-services.ts';
import { leaveOut, listed, oneLine, type StoreFiles } from '../../../rules/translate/translation.ts';
import { readYaml } from '../../../rules/translate/yaml-text.ts';

/** The services of an app of Runtipi in Compose's words; `port` is that of the app's page. */
export async function readRuntipiServices(
  draft: Draft,
  files: StoreFiles,
  port: string | null,
): Promise<{ services: StoreService[]; document: Fields }> {
  const json = files.get('docker-compose.json');
  if (json !== undefined) return { services: jsonServices(draft, json, port), document: {} };
  const yaml = files.get('docker-compose.yml');
  if (yaml === undefined) leaveOut('its folder has neither docker-compose.json nor docker-compose.yml');
  const document = await readYaml(yaml, 'docker-compose.yml');
  if (document['x-runtipi'] === undefined) leaveOut('its docker-compose.yml has an older form, without x-runtipi');
  noteOverrides(draft, asRecord(document['x-runtipi']).overrides);
  const services = Object.entries(asRecord(document.services)).map(([name, fields]) => {
    const service = asRecord(fields);
    const { is_main, internal_port } = asRecord(service['x-runtipi']);
    return { name, service: withPage(service, is_main === true ? internal_port : undefined, port) };
  });
  return { services, document };
}

function jsonServices(draft: Draft, json: string, port: string | null): StoreService[] {
  const value = parseJson(json);
  if (value === undefined) leaveOut('its docker-compose.json is no JSON, or is nested too deeply');
  const { services, overrides, schemaVersion } = asRecord(value);
  if (![undefined, 1, 2].includes(schemaVersion as number | undefined)) {
    leaveOut(`its docker-compose.json has the unknown form ${JSON.stringify(oneLine(schemaVersion))}`);
  }
  noteOverrides(draft, overrides);
  return asList(services).map((one) => {
    const { name, ...service } = asRecord(one);
    if (typeof name !== 'string') leaveOut('one of its services has no name');
    return { name, service: composeService(service, port) };
  });
}

function noteOverrides(draft: Draft, overrides: unknown): void {
  const others = asList(overrides).map((one) => oneLine(asRecord(one).architecture));
  if (others.length === 0) return;
  draft.notes.add(`The store has other services for ${listed(others)}, which were left out.`);
}

/** A service of `docker-compose.json`; members that are not named here are Compose's own in camel case. */
function composeService(service: Fields, port: string | null): Fields {
  const { isMain, internalPort, addToMainNetwork, addPorts, environment, healthCheck, ...others } = service;
  const { volumes, deploy, extraLabels, ...same } = others;
  const fields: Fields = {
    ...Object.fromEntries(Object.entries(same).map(([key, value]) => [snakeCase(key), value])),
    environment: Array.isArray(environment) ? environmentList(environment) : environment,
    ports: [...asList(addPorts).flatMap(composePorts), ...asList(same.ports)],
    volumes: asList(volumes).map(composeMount),
    ...(extraLabels !== undefined && { labels: extraLabels }),
    ...(healthCheck !== undefined && { healthcheck: withSnakeKeys(healthCheck) }),
    ...(deploy !== undefined && { deploy: withSnakeKeys(deploy) }),
  };
  return withPage(fields, isMain === true ? internalPort : undefined, port);
}

/** Runtipi starts every service again, and publishes the page of the main one. */
function withPage(service: Fields, internalPort: unknown, port: string | null): Fields {
  const isPage = internalPort !== undefined && port !== null;
  const page = isPage ? [{ target: internalPort, published: port }] : [];
  return { restart: 'unless-stopped', ...service, ports: [...page, ...asList(service.ports)] };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function withSnakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [snakeCase(key), withSnakeKeys(one)]));
}

/** `[{key, value}]` as Compose's mapping. */
function environmentList(entries: readonly unknown[]): Fields {
  return Object.fromEntries(
    entries.map((entry) => {
      const { key, value } = asRecord(entry);
      if (typeof key !== 'string') leaveOut('a variable of a container has no name');
      return [key, value ?? ''];
    }),
  );
}

function composePorts(port: unknown): Fields[] {
  const { containerPort, hostPort, tcp, udp, interface: address, ...others } = asRecord(port);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) leaveOut(`one of its ports has the unknown member ${JSON.stringify(oneLine(unknown))}`);
  const published = { target: containerPort, published: hostPort, host_ip: address };
  const protocols = [...(tcp === true ? ['tcp'] : []), ...(udp === true ? ['udp'] : [])];
  return (protocols.length === 0 ? ['tcp'] : protocols).map((protocol) => ({ ...published, protocol }));
}

function composeMount(mount: unknown): Fields {
  const { hostPath, containerPath, readOnly, shared, private: isPrivate, ...others } = asRecord(mount);
  const selinux = shared === true ? 'z' : isPrivate === true && 'Z';
  return {
    source: hostPath,
    target: containerPath,
    read_only: readOnly === true,
    ...(selinux !== false && { bind: { selinux } }),
    ...others,
  };
}
