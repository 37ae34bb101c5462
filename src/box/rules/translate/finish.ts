import { inlineIcon } from '../manifest/icon.ts';
import { parseManifest } from '../manifest/manifest.ts';
import { type Draft, exampleText } from './draft.ts';
import { leaveOut, listed, longText, oneLine, type TakenApp } from './translation.ts';
import { composeText } from './yaml-text.ts';

/** What a store says about an app, as texts of any content. */
export type About = {
  title: unknown;
  version: string;
  tagline: unknown;
  description: unknown;
  category: unknown;
  page: { port: number; protocol: string } | null;
  icon: string | undefined;
};

const mostNotes = 3000;

/** The files of the app. An app whose manifest the box would not read is left out. */
export async function finish(draft: Draft, about: About, compose: unknown): Promise<TakenApp> {
  const icon = about.icon === undefined ? null : inlineIcon(new TextEncoder().encode(about.icon));
  noteVariables(draft);
  if ([...draft.notes].join(' ').length > mostNotes) leaveOut(`it has more notes than ${mostNotes} characters`);
  const settings = [...draft.settings.values()].sort(
    (a, b) => Number(a.advanced ?? false) - Number(b.advanced ?? false),
  );
  const manifest = {
    name: draft.name,
    version: about.version,
    display_name: oneLine(about.title, 80) || draft.name,
    description: oneLine(about.tagline),
    description_long: longText(about.description),
    ports: about.page === null ? [] : [{ ...about.page, label: 'Web page' }],
    category: oneLine(about.category, 40),
    icon: icon === null ? '' : 'icon.svg',
    settings,
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const read = parseManifest(new TextEncoder().encode(text), draft.name);
  if (!read.ok) leaveOut(`its manifest would not be read: ${read.error}`);
  const files = {
    'manifest.json': text,
    'compose.yaml': await composeText(compose),
    '.env.example': exampleText(settings),
    ...(icon !== null && { 'icon.svg': icon }),
  };
  return { taken: true, name: draft.name, files, folders: [...draft.open], notes: [...draft.notes] };
}

function noteVariables(draft: Draft): void {
  const preset = [...draft.preset].filter((name) => !draft.settings.has(name));
  if (preset.length > 0) {
    draft.notes.add(`The form does not ask for these variables, which have a preset: ${listed(preset)}.`);
  }
  if (draft.unknown.size > 0) {
    draft.notes.add(`The store does not say what these variables are, so the form asks: ${listed(draft.unknown)}.`);
  }
  if (draft.fixedSecrets.size > 0) {
    draft.notes.add(
      `The store gives every install the same value for ${listed(draft.fixedSecrets)}: everyone knows it.`,
    );
  }
}
