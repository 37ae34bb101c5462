import { Failure, unknown } from '../../model/failure.ts';

/** An unvalidated mapping of a Compose file. */
export type Fields = Record<string, unknown>;

const rootKeys = 'version name services networks volumes configs secrets include'.split(' ');
const serviceKeys = (
  'annotations attach build cap_add cap_drop cgroup cgroup_parent command configs container_name cpu_count cpu_percent ' +
  'cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset credential_spec depends_on deploy develop ' +
  'device_cgroup_rules devices dns dns_opt dns_search domainname entrypoint env_file environment expose extends ' +
  'external_links extra_hosts gpus group_add healthcheck hostname image init ipc isolation labels link_local_ips links ' +
  'logging mac_address mem_limit mem_reservation mem_swappiness memswap_limit network_mode networks oom_kill_disable ' +
  'oom_score_adj pid pids_limit platform ports post_start pre_stop privileged profiles pull_policy read_only restart ' +
  'runtime scale secrets security_opt shm_size stdin_open stop_grace_period stop_signal storage_opt sysctls tmpfs tty ' +
  'ulimits user userns_mode uts volumes volumes_from working_dir'
).split(' ');
const networkKeys = 'name driver driver_opts ipam external internal enable_ipv6 enable_ipv4 attachable labels'.split(
  ' ',
);
const volumeKeys = 'name driver driver_opts external labels'.split(' ');

/** Service keys that Compose supports and the fake does not. */
const unmodelled = ['extends', 'volumes_from', 'post_start', 'pre_stop'];

type Sort = 'string' | 'list' | 'mapping' | 'boolean' | 'number';
const serviceTypes: Record<string, readonly Sort[]> = {
  image: ['string'],
  container_name: ['string'],
  restart: ['string'],
  hostname: ['string'],
  network_mode: ['string'],
  pull_policy: ['string'],
  command: ['string', 'list'],
  entrypoint: ['string', 'list'],
  environment: ['mapping', 'list'],
  labels: ['mapping', 'list'],
  env_file: ['string', 'list'],
  ports: ['list'],
  expose: ['list'],
  volumes: ['list'],
  profiles: ['list'],
  depends_on: ['list', 'mapping'],
  networks: ['list', 'mapping'],
  healthcheck: ['mapping'],
  deploy: ['mapping'],
  build: ['string', 'mapping'],
};

/** Validates a file as far as the fake supports it. Throws the first error in the words of Compose. */
export function checkComposeFile(path: string, content: unknown): Fields {
  const fault = (text: string) => new Failure(15, `validating ${path}: ${text}`);
  if (content === null || content === undefined) throw new Failure(15, 'empty compose file');
  if (!isFields(content)) {
    const sort = Array.isArray(content) ? '!!seq' : '!!str';
    throw new Failure(15, `yaml: unmarshal errors:\n  line 1: cannot unmarshal ${sort} into cli.named`);
  }
  for (const key of Object.keys(content)) {
    if (!rootKeys.includes(key) && !key.startsWith('x-'))
      throw fault(`(root) Additional property ${key} is not allowed`);
  }
  if (content.include) throw unknown('"include" in a Compose file');
  checkGroup(content, 'services', serviceKeys, fault);
  checkGroup(content, 'networks', networkKeys, fault);
  checkGroup(content, 'volumes', volumeKeys, fault);
  for (const [name, service] of Object.entries((content.services ?? {}) as Fields))
    checkService(name, service as Fields, fault);
  return content;
}

type Fault = (text: string) => Failure;

function checkGroup(content: Fields, group: string, keys: readonly string[], fault: Fault): void {
  const members = content[group];
  if (members === undefined || (members === null && group !== 'services')) return;
  if (!isFields(members)) throw fault(`${group} must be a mapping`);
  for (const [name, member] of Object.entries(members)) {
    if (!/^[a-zA-Z0-9._-]+$/.test(name)) throw fault(`${group} Additional property ${name} is not allowed`);
    if (member === null && group !== 'services') continue;
    if (!isFields(member)) throw new Failure(15, `${group}.${name} must be a mapping`);
    const odd = Object.keys(member).find((key) => !keys.includes(key) && !key.startsWith('x-'));
    if (odd) throw fault(`${group}.${name} Additional property ${odd} is not allowed`);
  }
}

function checkService(name: string, service: Fields, fault: Fault): void {
  for (const [key, sorts] of Object.entries(serviceTypes)) {
    const value = service[key];
    if (value === undefined || value === null) continue;
    if (!sorts.includes(sortOf(value))) throw fault(`services.${name}.${key} must be a ${sorts[0]}`);
  }
  const odd = unmodelled.find((key) => service[key] !== undefined);
  if (odd) throw unknown(`"${odd}" of a service`);
}

function sortOf(value: unknown): Sort {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'mapping';
  return typeof value as Sort;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
