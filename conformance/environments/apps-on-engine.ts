import { type AppFiles, plainCompose } from '../../fakes/app-files.ts';

/** The names that Compose may give to the app's project. */
export function projectsOfApp({ name, env, envExample, files = {}, compose }: AppFiles): string[] {
  const texts = [env, envExample, compose, ...Object.values(files)].map(String);
  const chosen = texts.flatMap((text) => [
    ...text.matchAll(/^(?:name:|COMPOSE_PROJECT_NAME=)\s*["']?([a-z0-9][a-z0-9_-]*)/gm),
  ]);
  return [name.toLowerCase(), ...chosen.map(([, found = '']) => found)];
}

/** The same app, with image names that the engine can pull. */
export function withPulledNames(app: AppFiles, pulled: (text: string) => string): AppFiles {
  const files = Object.entries(app.files ?? {}).map(([name, content]) => [
    name,
    typeof content === 'string' ? pulled(content) : content,
  ]);
  const compose = app.compose === undefined ? plainCompose(app.name, app) : app.compose;
  return {
    ...app,
    compose: compose === null ? null : pulled(compose),
    ...(app.files === undefined ? {} : { files: Object.fromEntries(files) }),
  };
}
