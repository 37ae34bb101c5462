import { readdirSync } from 'node:fs';
import type { Answer, Call, Fault, Memory } from './fault.ts';

export type Json = Record<string, unknown>;

/** A setting that is another one, or none, whatever the suite gave. */
export const setting = (name: string, change: (value: string | undefined) => string | undefined) => ({
  settings: (given: Record<string, string | undefined>) => ({ [name]: change(given[name]) }),
});

/** A limit that is moved, where one is given. */
export const moved = (name: string, by: number) =>
  setting(name, (value) => (value === undefined ? value : String(Number(value) + by)));

/** Changes the body of some requests before the gateway sees it. */
export const changeBody = (is: (call: Call) => boolean, change: (json: Json, memory: Memory) => void) => ({
  ask: (call: Call, memory: Memory) => {
    if (is(call) && call.json !== null) change(call.json, memory);
    return null;
  },
});

/** Changes the path of every request before the gateway sees it. */
export const changePath = (change: (path: string) => string) => ({
  ask: (call: Call) => {
    call.path = change(call.path);
    return null;
  },
});

/** Changes some answers before the suite sees them. */
export const changeAnswer = (
  is: (call: Call, answer: Answer) => boolean,
  change: (answer: Answer, call: Call, memory: Memory) => void,
) => ({
  answer: (answer: Answer, call: Call, memory: Memory) => {
    if (is(call, answer)) change(answer, call, memory);
  },
});

export const errorOf = (answer: Answer) => (answer.json as { error?: string } | undefined)?.error ?? '';

/** One fixed text that is not quite itself. */
export const wrongText = (name: string, text: string, kills: string): Fault => ({
  name: `text-${name}`,
  kills,
  ...changeAnswer(
    (_call, answer) => errorOf(answer) === text,
    (answer) => {
      answer.json = { error: `${text}.` };
    },
  ),
});

/** One refusal under another status. */
export const wrongStatus = (name: string, text: string, status: number, kills: string): Fault => ({
  name: `status-${name}`,
  kills,
  ...changeAnswer(
    (_call, answer) => errorOf(answer) === text,
    (answer) => {
      answer.status = status;
    },
  ),
});

export const success = (_call: Call, answer: Answer) => answer.status < 300;
export const routesIn = (answer: Answer) => (answer.json as { routes: Json[] }).routes;
/** The names of the gateway's files in the routes directory. */
export const ownFiles = (memory: Memory) =>
  readdirSync(memory.routesDir).filter((name) => name.startsWith('boxgate-'));
