import { cpSync, mkdirSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type MadeSnapshot, type Repository, ResticFailed, type Snapshot, type SnapshotPlan } from '../ports.ts';

/** A fake repository that keeps each snapshot as a copy of its folders. Tests assign its state directly. */
export class FolderRepository implements Repository {
  readonly shownAddress: string;
  isInstalled = false;
  isMade = false;
  /** The next call of a verb fails with this. */
  failing = new Map<keyof Repository, ResticFailed>();
  unread: string[] = [];
  plans: SnapshotPlan[] = [];
  kept: Snapshot[] = [];
  calls: string[] = [];
  #count = 0;

  constructor(folder: string) {
    this.shownAddress = folder;
  }

  async isAvailable(): Promise<boolean> {
    return this.isInstalled;
  }

  known(): readonly string[] {
    return this.isMade ? [this.shownAddress] : [];
  }

  async key(): Promise<string> {
    return 'the key';
  }

  async prepare(): Promise<boolean> {
    this.#note('prepare');
    if (!this.isInstalled) throw new ResticFailed('the program restic is not installed', 'no-restic');
    const isNew = !this.isMade;
    this.isMade = true;
    return isNew;
  }

  async backUp(plan: SnapshotPlan): Promise<MadeSnapshot> {
    this.#note('backUp', plan.tags.join(' '));
    this.#count += 1;
    const id = `${this.#count}`.padStart(8, '0');
    for (const path of plan.paths) {
      mkdirSync(dirname(join(this.shownAddress, id, path)), { recursive: true });
      cpSync(path, join(this.shownAddress, id, path), { recursive: true, preserveTimestamps: true });
    }
    this.plans.push(plan);
    const known = { id, shortId: id, time: new Date(this.#count * 60_000), original: null, host: 'here' };
    this.kept.push({ ...known, isOwn: true, tags: [...plan.tags], paths: [...plan.paths] });
    return { id, bytes: 1000, bytesAdded: 10, unread: this.unread };
  }

  async snapshots(tag?: string): Promise<Snapshot[]> {
    this.#note('snapshots');
    return this.kept.filter(({ tags }) => tag === undefined || tags.includes(tag));
  }

  async read(id: string, path: string): Promise<string> {
    return readFileSync(join(this.shownAddress, id, path), 'utf8');
  }

  async look(id: string, path: string): ReturnType<Repository['look']> {
    const whole = join(this.shownAddress, id, path);
    const kindOf = (stat: Stats) => (stat.isDirectory() ? 'folder' : 'file');
    const found = statSync(whole, { throwIfNoEntry: false });
    if (found === undefined) throw new ResticFailed(`the backup has no ${path}`, 'no-snapshot');
    const names = found.isDirectory() ? readdirSync(whole).sort() : [];
    const entries = names.map((name) => {
      const stat = statSync(join(whole, name));
      return { name, kind: kindOf(stat), bytes: stat.size, changedAt: stat.mtime } as const;
    });
    return { kind: kindOf(found), entries, isCut: false };
  }

  async *dump(id: string, path: string): AsyncGenerator<Buffer> {
    const whole = join(this.shownAddress, id, path);
    yield statSync(whole).isDirectory() ? Buffer.from(`an archive of ${path}`) : readFileSync(whole);
  }

  async restore(id: string, target: string, path = '/'): Promise<void> {
    this.#note('restore', id);
    if (statSync(join(this.shownAddress, id, path), { throwIfNoEntry: false }) === undefined) return;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(this.shownAddress, id, path), join(target, path), { recursive: true, preserveTimestamps: true });
  }

  async addTags(id: string, tags: readonly string[]): Promise<string> {
    this.#note('addTags', tags.join(' '));
    this.kept.find((one) => one.id === id)?.tags.push(...tags);
    return id;
  }

  async forget(ids: readonly string[], prunes: boolean): Promise<void> {
    this.#note('forget', [...ids, ...(prunes ? ['--prune'] : [])].join(' '));
    this.kept = this.kept.filter(({ id }) => !ids.includes(id));
  }

  async unlock(): Promise<void> {
    this.#note('unlock');
  }

  async check({ number, of }: { number: number; of: number }, how: 'alone' | 'beside'): Promise<void> {
    this.#note('check', `${number}/${of} ${how}`);
  }

  async adopt(key: string, setsAside: boolean): Promise<{ host: string; latest: Date }[]> {
    this.#note('adopt', `${key}${setsAside ? ', setting aside' : ''}`);
    return [];
  }

  #note(verb: keyof Repository, of = ''): void {
    this.calls.push(`${verb} ${of}`.trim());
    const failure = this.failing.get(verb);
    if (failure === undefined) return;
    this.failing.delete(verb);
    throw failure;
  }
}
