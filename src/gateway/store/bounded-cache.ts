/**
 * Remembers what was used last, up to a total weight, without a word about order on each use: what is set or found
 * goes into the young half; when that is full it becomes the old one, and the old one before it is forgotten. So
 * between one and two times the weight of a half is kept, and what is in use stays.
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
