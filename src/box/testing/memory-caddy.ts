import { type Caddy, CaddyFailed, type ListenPlace } from '../https/ports.ts';

/** A Caddy that takes every file, unless a test says otherwise. */
export class MemoryCaddy implements Caddy {
  /** Why it refuses files at a validation or a reload. */
  refusal: { validate?: string; reload?: string } = {};
  isAway = false;
  /** How many reloads were asked for, and how many it made. */
  tries = 0;
  reloads = 0;

  async version(): Promise<string> {
    return 'v2.6.2';
  }

  async validate(): Promise<void> {
    if (this.refusal.validate !== undefined) throw new CaddyFailed(this.refusal.validate, false);
  }

  async reload(): Promise<void> {
    this.tries += 1;
    if (this.isAway) throw new CaddyFailed('Caddy does not run', true);
    if (this.refusal.reload !== undefined) throw new CaddyFailed(this.refusal.reload, false);
    this.reloads += 1;
  }

  async hash(): Promise<string> {
    return `$2a$14$${'a'.repeat(53)}`;
  }

  async listens(): Promise<ListenPlace[]> {
    return [80, 443].map((port) => ({ address: '', port, hosts: [] }));
  }

  async rootCertificate(): Promise<string | null> {
    return '-----BEGIN CERTIFICATE-----\n';
  }
}
