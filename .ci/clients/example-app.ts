import { asObject, type JsonObject, operationsOf, readDocument } from '../../spec/document.ts';

/** The Compose file of an app whose one service runs the image `registry.example/NAME:1.4`. */
export const composeOf = (name: string): string =>
  `services:\n  web:\n    image: registry.example/${name}:1.4\n    restart: unless-stopped\n`;

/** The app that the examples of the box's document are about, as files for a folder of bundled apps. */
export function exampleApp() {
  const examples = new Map(operationsOf(readDocument('box')).map((one) => [one.operationId, one.examples.success[0]]));
  const [{ icon_svg: icon, ...app } = {}] = examples.get('listBundledApps') as JsonObject[];
  const settings = asObject(examples.get('getAppSettings'), 'getAppSettings').settings as JsonObject[];
  return {
    name: 'notes',
    manifest: { ...app, settings: settings.map(({ value: _, ...setting }) => setting) },
    icon: String(icon),
    compose: `${composeOf('notes')}    ports: ["\${NOTES_PORT}:80"]\n`,
  };
}
