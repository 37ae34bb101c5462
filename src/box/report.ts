/**
 * A room: what an owner sees of one subject, and what can be done there. The console draws its report; the shell carries
 * out the same actions. The document of the console describes what a report has.
 */
import type { components } from '../console/api.gen.ts';

type Schemas = components['schemas'];

export type Report = Schemas['Report'];
export type Section = Schemas['Section'];
export type Row = Schemas['Row'];
export type Field = Schemas['Field'];
export type ShownAction = Schemas['ShownAction'];
/** How a change ended, or how far it is: `ok` is false if it was made, but something beside it failed. */
export type Outcome = Schemas['Outcome'];

export type Action = {
  /** Its verb in the journal; `null` if it changes nothing. */
  verb: string | null;
  /** The fields that it takes, with the most characters of each. */
  fields: Readonly<Record<string, number>>;
  /** Fields that have to be there, also if empty, because without them it does something larger. */
  needed?: readonly string[];
  /** The field that the journal names. */
  subject?: string;
  run(fields: Readonly<Record<string, string>>): Promise<Outcome>;
};

export type Printed = { status: number; lines: string[] };

export type Room = {
  /** Its address. With a slash at its end, the name of an app follows. */
  path: string;
  title?: string;
  /** The link of the header that it belongs to. With a title, it is a part of that page; others are opened by a link. */
  group?: 'apps' | 'backups' | 'network' | 'storage' | 'box';
  /** What is said while it is read, if that takes long. */
  waiting?: string;
  read(app: string): Promise<Report>;
  /** The same for the shell. */
  print?(): Promise<Printed>;
  /** How far the work is that is under way, or how the latest ended. */
  follow?(app: string): Promise<Outcome>;
  actions?: Readonly<Record<string, Action>>;
};

export const longestName = 255;

export const note = (text: string): Row => ({ is: 'note', text });
export const warning = (text: string): Row => ({ is: 'warning', text: capitalized(text) });

/** @param problem - why nothing is known of apps */
export function dockerNotice(problem: string): Row {
  const isSaid = problem.startsWith('Docker does not answer');
  return { is: 'warning', text: isSaid ? problem : `Nothing is known of the apps: ${problem}` };
}

/** A section, unless it has nothing. */
export function sectionOf(title: string, rows: Row[]): Section[] {
  return rows.length === 0 ? [] : [{ title, rows }];
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function roomOf(path: string, app: string): string {
  return `${path}/${encodeURIComponent(app)}`;
}
