import assert from 'node:assert/strict';
import { Gateway, type GatewayOptions, type Route } from './gateway.ts';
import { pick } from './random.ts';
import type { Answer } from './server-process.ts';

export type Box = { id: string; token: string; address: string };

export function boxOf({ status, body }: Answer): Box {
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.box_id, token: body.box_token, address: body.tunnel.address };
}

export function statuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export function times<T>(count: number, ask: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => ask(number)));
}

/** Several gateways on one store and one tunnel manager, each with folders of its own. */
export class Gateways {
  readonly all: Gateway[];
  readonly #random: () => number;

  constructor(count: number, options: GatewayOptions, random: () => number) {
    this.all = Array.from({ length: count }, () => new Gateway(options));
    this.#random = random;
  }

  /** Starts all at once, so that all of them find an empty store. */
  async start(): Promise<void> {
    await Promise.all(this.all.map((gateway) => gateway.start()));
  }

  async kill(): Promise<void> {
    await Promise.all(this.all.map((gateway) => gateway.kill()));
  }

  any(): Gateway {
    return pick(this.#random, this.all);
  }

  /** The gateway for this number, in turn. */
  nth(number: number): Gateway {
    return this.all[number % this.all.length] ?? this.any();
  }

  async register(): Promise<Box> {
    return boxOf(await this.any().register('box'));
  }

  async routesOf(box: Box): Promise<Route[]> {
    const { status, body } = await this.any().as(box).list();
    assert.equal(status, 200, JSON.stringify(body));
    return body.routes;
  }
}
