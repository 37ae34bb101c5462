/**
 * A room: what an owner sees of one subject, and what can be done there. The console draws its report; the shell carries
 * out the same actions. In every text, a time is written as `2026-01-02 03:04 UTC`, and commands are between backquotes.
 */

/** How a change ended: `ok` is false if it was made, but something beside it failed. */
export type Outcome = {
  ok: boolean;
  text: string;
  /** The work goes on, whose end the room's `follow` tells. */
  has_begun?: boolean;
  /** What is shown once. */
  shown?: Section;
};

export type Report = {
  /** Instead of the usual title of the room. */
  title?: string;
  /** Work may be under way, which the room's `follow` tells. */
  is_followed?: boolean;
  sections: Section[];
};

export type Section = {
  title?: string;
  rows: Row[];
  actions?: ShownAction[];
  /** How many rows are shown at first. */
  most?: number;
  /** The app whose log belongs here. */
  log?: string;
};

export type Row = {
  /** An entry of a list, which is the default, or a paragraph. */
  is?: 'item' | 'text' | 'note' | 'warning';
  text: string;
  /** Where the text leads. */
  href?: string;
  icon?: string | null;
  /** A state of an app, or the verdict of a finding. The text of a paragraph, or the first fact, explains it. */
  state?: string;
  facts?: string[];
  link?: { text: string; href: string };
  actions?: ShownAction[];
  /** A longer text, once the row is opened. */
  folded?: string;
  /** The name under which the folded text can be downloaded. */
  file?: string;
};

/** An action as a button, or as a form if it has fields without a question. */
export type ShownAction = {
  /** The room and its action, such as `trash/restore`. */
  act?: string;
  /** Instead of `act`, a room whose sections are shown below the button. */
  read?: string;
  label: string;
  /** What it is about, if the label alone does not say so. */
  about?: string;
  kind: 'primary' | 'quiet' | 'danger';
  /** What is said while it is carried out. */
  doing?: string;
  /** Values of fields that the owner is not asked for. */
  given?: Record<string, string>;
  fields?: Field[];
  note?: string;
  /** Asked before the action is carried out. If its room has no row, its title is said, and nothing is done. */
  question?: { title: string; text: string; answer: string; room?: string };
};

type Value = { value: string; text: string };

export type Field = {
  name: string;
  label: string;
  type: 'text' | 'url' | 'password' | 'number' | 'choice';
  value?: string;
  choices?: Value[];
  /** A button that fills it in. */
  suggestion?: Value;
  /** The title of the part below which the field is folded. */
  folded?: string;
};

/** The work that is under way, as a sentence, or how the latest has ended. */
export type Work = { doing: string; result: Outcome | null };

export type Action = {
  /** Its verb in the journal; `null` if it changes nothing. */
  verb: string | null;
  /** The fields that it takes, with the most characters of each. */
  fields: Readonly<Record<string, number>>;
  /** The field that the journal names. */
  subject?: string;
  run(fields: Readonly<Record<string, string>>): Promise<Outcome>;
};

/** What a command prints, and its exit status. */
export type Printed = { status: number; lines: string[] };

export type Room = {
  /** Its address. With a slash at its end, the name of an app follows. */
  path: string;
  /** In the navigation, which leaves out rooms without one. */
  title?: string;
  /** What is said while it is read, if that takes long. */
  waiting?: string;
  read(app: string): Promise<Report>;
  /** The same for the shell. */
  print?(): Promise<Printed>;
  follow?(app: string): Promise<Work>;
  actions?: Readonly<Record<string, Action>>;
};

/** The longest name of an app. */
export const longestName = 255;

export const note = (text: string): Row => ({ is: 'note', text });
export const warning = (text: string): Row => ({ is: 'warning', text: capitalized(text) });

/** A section, unless it has nothing. */
export function sectionOf(title: string, rows: Row[]): Section[] {
  return rows.length === 0 ? [] : [{ title, rows }];
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The address of a room of an app. */
export function roomOf(path: string, app: string): string {
  return `${path}/${encodeURIComponent(app)}`;
}
