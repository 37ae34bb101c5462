/**
 * A reinstall writes the bundle's files over those of the installed app. The `.env`, data directories and the owner's
 * files stay. A bundled file that the owner edited is kept beside the new one as NAME.kept. The digests of the last
 * install show which files were edited. Without them every file that differs counts as edited, so that no edit is lost.
 */

export type RefreshStep = {
  path: string;
  /** Writes the bundle's file, or deletes one that the bundle no longer has. */
  act: 'write' | 'delete';
  /** The name, relative to the app's directory, under which the owner's version is kept. */
  keepAs: string | null;
};

export type RefreshPlan = {
  steps: RefreshStep[];
  /** Installed paths that are not regular files; the bundle's file is left out there. */
  blocked: string[];
  /** Bundle paths that are not regular files; the installed file stays there. */
  leftOut: readonly string[];
  /** Digests of the bundle's files: the record of this install. */
  bundle: ReadonlyMap<string, string>;
};

/** An installed file as its digest, `absent`, or `other` for a directory, a link or a device. */
type Installed = (path: string) => Promise<string>;

/** should/box/68, choice/box/69, choice/box/174 */
export async function planRefresh(
  bundle: ReadonlyMap<string, string>,
  leftOut: readonly string[],
  installed: Installed,
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

/** NAME.kept, or the first free one of NAME.kept.2, …, so that no earlier copy is lost. */
async function freeName(path: string, digest: string, installed: Installed): Promise<string> {
  const isFree = async (name: string) => ['absent', digest].includes(await installed(name));
  let name = `${path}.kept`;
  for (let count = 2; !(await isFree(name)); count += 1) name = `${path}.kept.${count}`;
  return name;
}
