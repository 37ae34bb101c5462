/** Makes a function whose calls get the result of the work that is under way, if there is one. */
export function shareWork<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const { share } = shareByKey<Result>();
  return () => share('', work);
}

/** The same for works by key. After `renew`, which announces a change, a call begins anew. */
export function shareByKey<Result>(): {
  share(key: string, work: () => Promise<Result>): Promise<Result>;
  renew(): void;
} {
  const underWay = new Map<string, Promise<Result>>();
  return {
    share(key, work) {
      const known = underWay.get(key);
      if (known !== undefined) return known;
      const begun = work().finally(() => {
        if (underWay.get(key) === begun) underWay.delete(key);
      });
      underWay.set(key, begun);
      return begun;
    },
    renew: () => underWay.clear(),
  };
}
