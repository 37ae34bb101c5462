import type { BoxEnvironment } from '../../../../fakes/box-environment.ts';
import type { Fixture } from '../../../kernel/check.ts';
import { manifest } from '../apps.ts';

/** The settings of the page's apps, by the label that their fields have. No text contains a label of another. */
const setting = (name: string, label: string, type: string, required: boolean) => ({
  name,
  label,
  description: `Explains ${name.toLowerCase()}`,
  type,
  required,
  default: null,
});

export const settings = [
  setting('SEATS', 'Places at table', 'number', false),
  setting('TINT', 'Shade', 'color', false),
  setting('NICK', 'Byname', 'text', false),
  setting('GREETING', 'Salute', 'text', true),
  setting('VAULT_KEY', 'Hidden word', 'password', true),
];

/** The page finds an app by the name that people read. */
export const harbour = { name: 'harbour', title: 'Old Harbour' };
export const lagoon = { name: 'lagoon', title: 'Blue Lagoon' };
export const mole = { name: 'mole', title: 'Windy Mole' };
export const quay = { name: 'quay', title: 'Stone Quay' };

export const titles = [harbour, lagoon, mole, quay].map(({ title }) => title);

/** A colour that no page has for anything else. */
export const iconColour = [224, 27, 208] as const;
export const colouredIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><rect width="24" height="24" fill="rgb(${iconColour})"/></svg>`;

const withSettings = { settings, icon: 'icon.svg' };

/** Two installed apps and two available ones, of each kind one with settings and an icon, and a broken app. */
export function fillShelf(environment: Pick<BoxEnvironment, 'bundle' | 'placeInstalled'>): void {
  environment.placeInstalled({
    name: harbour.name,
    manifest: manifest(harbour.name, { ...withSettings, display_name: harbour.title }),
    icon: colouredIcon,
    env: 'GREETING=hello\nSEATS=7\nVAULT_KEY=k3y-that-stays-here\n',
  });
  environment.placeInstalled({ name: lagoon.name, manifest: manifest(lagoon.name, { display_name: lagoon.title }) });
  environment.placeInstalled({ name: 'wreck', manifest: 'no JSON at all' });
  environment.bundle({
    name: mole.name,
    manifest: manifest(mole.name, { ...withSettings, display_name: mole.title }),
    icon: colouredIcon,
  });
  environment.bundle({ name: quay.name, manifest: manifest(quay.name, { display_name: quay.title }) });
}

/** For checks that change nothing. */
export const shelf: Fixture<BoxEnvironment> = { name: 'shelf of the page', prepare: fillShelf };
