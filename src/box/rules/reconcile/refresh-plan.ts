/**
 * A reinstall puts the files of the bundle over those of the installed app and leaves everything else alone: the
 * `.env`, data directories, files that the owner added. A bundled file that the owner edited is kept beside as
 * NAME.kept. Which bundled files were edited is known from the digests of the last install; without them every
 * file that differs counts as edited, since nothing may be lost.
 */

export type RefreshStep = {
  /** Relative to the app's directory. */
  path: string;
  /** Puts the bundle's file there, or takes away one that the bundle no longer has. */
  act: 'write' | 'delete';
  /** The name, relative to the app's directory, under which the owner's version is kept. */
  keepAs: string | null;
};

export type RefreshPlan = {
  steps: RefreshStep[];
  /** Paths at which something stands that is no regular file: the bundle's file is left out there. */
  blocked: string[];
  /** Paths at which the bundle has something that is no regular file: what is installed there stays. */
  leftOut: readonly string[];
  /** What the bundle consists of now, by digest: the record of this install. */
  bundle: ReadonlyMap<string, string>;
};

/** An installed file as its digest, `absent`, or `other` for a directory, a link or a device. */
export type InstalledFile = string;

/** choice/box/68-70, choice/box/174 */
export async function planRefresh(
  bundle: ReadonlyMap<string, string>,
  leftOut: readonly string[],
  installed: (path: string) => Promise<InstalledFile>,
  lastInstall: ReadonlyMap<string, string>,
): Promise<RefreshPlan> {
  const plan: RefreshPlan = { steps: [], blocked: [], leftOut, bundle };
  const isLeftOut = (path: string) => leftOut.some((one) => `${path}/`.startsWith(`${one}/`));
  const gone = [...lastInstall.keys()].filter((path) => !bundle.has(path) && !isLeftOut(path));
  for (const path of [...bundle.keys(), ...gone].sort()) {
    const wanted = bundle.get(path);
    const found = await installed(path);
    if (found === 'other') {
      if (wanted !== undefined) plan.blocked.push(path);
      continue;
    }
    if (found === (wanted ?? 'absent')) continue;
    const edited = found !== 'absent' && found !== lastInstall.get(path);
    plan.steps.push({
      path,
      act: wanted === undefined ? 'delete' : 'write',
      keepAs: edited ? await freeName(path, found, installed) : null,
    });
  }
  return plan;
}

/** NAME.kept, or the first of NAME.kept.2, … that is free: what was kept before is not lost either. */
async function freeName(
  path: string,
  digest: string,
  installed: (path: string) => Promise<InstalledFile>,
): Promise<string> {
  const isFree = async (name: string) => ['absent', digest].includes(await installed(name));
  let name = `${path}.kept`;
  for (let count = 2; !(await isFree(name)); count += 1) name = `${path}.kept.${count}`;
  return name;
}
