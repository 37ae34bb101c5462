import assert from 'node:assert/strict';
import type { Gateway, Route } from '../support/gateway.ts';
import type { Answer } from '../support/server-process.ts';

export type KnownRoute = { id: string; port: number };
export type KnownBox = { id: string; token: string; routes: Map<string, KnownRoute> };

/** The state that a gateway confirmed in its responses and must not lose, and the secrets that it must not write. */
export class KnownBoxes {
  readonly boxes: KnownBox[] = [];
  /** Every token ever issued. */
  readonly tokens: string[] = [];
  /** Every subdomain ever requested. */
  readonly names: string[] = [];
  readonly #gateway: Gateway;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  async register(name: string): Promise<KnownBox> {
    return this.registered(await this.#gateway.register(name));
  }

  registered({ status, body }: Answer): KnownBox {
    assert.equal(status, 201, JSON.stringify(body));
    const box: KnownBox = { id: body.box_id, token: body.box_token, routes: new Map() };
    this.tokens.push(box.token);
    this.boxes.push(box);
    return box;
  }

  async publish(box: KnownBox, name: string): Promise<void> {
    this.names.push(name);
    this.published(box, await this.#gateway.as(box).publish(name, 3000));
  }

  published(box: KnownBox, { status, body }: Answer): void {
    assert.equal(status, 201, JSON.stringify(body));
    box.routes.set(body.subdomain, { id: body.id, port: body.port });
  }

  rotated(box: KnownBox, { status, body }: Answer): void {
    assert.equal(status, 200, JSON.stringify(body));
    box.token = body.box_token;
    this.tokens.push(box.token);
  }

  withdrawn(box: KnownBox, name: string, { status, body }: Answer): void {
    assert.equal(status, 200, JSON.stringify(body));
    box.routes.delete(name);
  }

  deregistered(box: KnownBox, { status, body }: Answer): void {
    assert.equal(status, 200, JSON.stringify(body));
    this.forget(box);
  }

  forget(box: KnownBox): void {
    this.boxes.splice(this.boxes.indexOf(box), 1);
  }

  /** The routes that the gateway lists for a box; null if its token is no longer valid. */
  async ask(box: KnownBox): Promise<Map<string, KnownRoute> | null> {
    const { status, body } = await this.#gateway.as(box).list();
    if (status === 401) return null;
    assert.equal(status, 200, JSON.stringify(body));
    return new Map((body.routes as Route[]).map(({ subdomain, id, port }) => [subdomain, { id, port }]));
  }

  /** The ids of boxes whose token was lost with the response. */
  async strangers(): Promise<string[]> {
    return (await this.#gateway.listBoxes()).filter((id) => this.boxes.every((box) => box.id !== id));
  }

  /** Names that no route uses. */
  freeNames(): string[] {
    const taken = new Set(this.boxes.flatMap((box) => [...box.routes.keys()]));
    return this.names.filter((name) => !taken.has(name));
  }

  /** Asserts that every token, route and route file is as known, and that there are no others. */
  async check(): Promise<void> {
    for (const box of this.boxes) assert.deepEqual(await this.ask(box), box.routes, `routes of ${box.id}`);
    const files = this.#gateway.routeFiles();
    const published = this.boxes.filter((box) => box.routes.size > 0);
    assert.deepEqual([...files.keys()].sort(), published.map((box) => box.id).sort());
    for (const box of published) {
      const hosts = (files.get(box.id) ?? '').matchAll(/Host\(`([^.`]+)\.[^`]+`\)/g);
      assert.deepEqual([...hosts].map(([, name]) => name).sort(), [...box.routes.keys()].sort());
    }
  }
}
