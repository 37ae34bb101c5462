import { Buffer } from 'node:buffer';

/** Facts about one service that the cases use. */
export type HttpService = {
  /** Answers a GET with 200. */
  get: string;
  /** Answers a POST of an empty object with 400. */
  post: string;
  maxBodyBytes: number;
  /** The status for a method that the service does not know. */
  unknownMethod: number;
};

/** Bytes sent on one connection, and the statuses of all responses to it and to the probe behind it. */
export type HttpCase = {
  name: string;
  /** The bytes to send, in order. A number is a pause in milliseconds. */
  parts: (string | Buffer | number)[];
  statuses: number[];
  /** The client ends its half of the connection instead of sending the probe. */
  ends?: boolean;
};

export const host = 'Host: localhost\r\n';
export const bytes = (text: string) => Buffer.from(text, 'latin1');
export const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** One case for each text, all with the same statuses. */
export function rows(what: string, statuses: number[], texts: readonly string[]): HttpCase[] {
  return texts.map((text) => ({ name: `${what} ${shown(text)}`, parts: [bytes(text)], statuses }));
}

/** The connection closes, and the probe is not answered. */
export const refused = [400];
export const answered = [200, 200];
/** For a POST with invalid fields, on a connection that stays open. */
export const readWhole = [400, 200];
