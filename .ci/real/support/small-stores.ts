// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import { registry } from './programs/registry.ts';

/** A store with one app: its files in a version, by their path. The image of version N answers `web N`. */
export type SmallStore = { app: string; files(version: number, port: number): Record<string, string> };

const casaos: SmallStore = {
  app: 'real-casaos-notes',
  files: (version, port) => ({
    'README.md': 'A store in the form of CasaOS.',
    'Apps/Notes/docker-compose.yml': `
name: real-casaos-notes
services:
  web:
    image: ${registry}/web:${version}
    container_name: notes-web
    network_mode: bridge
    depends_on: {db: {condition: service_started}}
    environment: {GREETING: Good morning, TZ: $TZ}
    ports: [{target: 8080, published: "${port}", protocol: tcp}]
    volumes: ["/DATA/AppData/$AppID/rows:/data", "/DATA/AppData/$AppID/made:/made"]
    x-casaos: {envs: [{container: GREETING, description: {en_us: What it says.}}]}
  db: {image: "${registry}/web:1", container_name: notes-db}
x-casaos: {title: {en_us: Notes}, version: "${version}.0", port_map: "${port}", main: web}
`,
  }),
};

const config = (version: number, port: number) => ({
  ...{ id: 'real-runtipi-notes', name: 'Notes', short_desc: 'Your notes', port, available: true },
  ...{ version: `${version}.0`, tipi_version: version },
  form_fields: [
    { type: 'random', label: 'Key', min: 40, env_variable: 'NOTES_KEY' },
    { type: 'text', label: 'Greeting', required: true, env_variable: 'GREETING' },
  ],
});

const runtipi: SmallStore = {
  app: 'real-runtipi-notes',
  files: (version, port) => ({
    'apps/real-runtipi-notes/config.json': JSON.stringify(config(version, port)),
    'apps/real-runtipi-notes/data/rows/start': 'of the store\n',
    'apps/real-runtipi-notes/docker-compose.json': JSON.stringify({
      schemaVersion: 2,
      services: [
        {
          ...{ name: 'web', image: `${registry}/web:${version}`, isMain: true, internalPort: 8080 },
          environment: [{ key: 'NOTES_KEY', value: '${NOTES_KEY}' }],
          user: '1000:1000',
          volumes: [
            { hostPath: '${APP_DATA_DIR}/data/rows', containerPath: '/data' },
            { hostPath: '${APP_DATA_DIR}/data/made', containerPath: '/made' },
          ],
          dependsOn: { db: { condition: 'service_healthy' } },
        },
        { name: 'db', image: `${registry}/web:1`, healthCheck: { test: 'true', interval: '1s' } },
      ],
    }),
  }),
};

export const smallStores = { casaos, runtipi };
