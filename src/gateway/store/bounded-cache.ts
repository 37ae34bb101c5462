/**
 * A cache with a limit on the total weight. Entries that are set or found go into the young half. When it is full it
 * replaces the old half, so entries that are used often stay.
 */
export class BoundedCache<Key, Value> {
  readonly #halfWeight: number;
  readonly #weigh: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngWeight = 0;

  constructor(maxWeight: number, weigh: (value: Value) => number) {
    this.#halfWeight = maxWeight / 2;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    const weight = this.#weigh(value);
    if (weight > this.#halfWeight) {
      this.delete(key);
      return;
    }
    if (this.#youngWeight + weight > this.#halfWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    const replaced = this.#young.get(key);
    this.#youngWeight += weight - (replaced === undefined ? 0 : this.#weigh(replaced));
    this.#young.set(key, value);
    this.#old.delete(key);
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#youngWeight -= this.#weigh(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
