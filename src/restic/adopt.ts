import { rename, rm } from 'node:fs/promises';
import { onStorage } from '../lib/files/storage.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { makeIsOwn } from './machines.ts';
import { findId, listed, type Place, presentKey, remember } from './open-place.ts';
import { onFault, ResticFailed } from './ports.ts';
import { readRecord } from './record.ts';
import { shownAddress } from './restic-failure.ts';

export async function adopt(place: Place, given: string, setsAside: boolean) {
  const { keyFile, recordFile, shown } = place;
  const own = [...readRecord(recordFile).repositories.keys()].map(shownAddress);
  const present = presentKey(keyFile);
  const isOther = own.length > 0 && ![given, ''].includes(present);
  if (isOther && !setsAside) {
    const text = `this box has backups of its own at ${own.join(', ')}, with another key; move ${keyFile} and ${recordFile} away first`;
    throw new ResticFailed(text, 'wrong-key');
  }
  const trial = `${keyFile}.new`;
  try {
    await onStorage(`cannot write ${trial}`, () => writeFileAtomic(trial, `${given}\n`, 0o600));
    const refused = onFault(['wrong-key'], (error) => {
      const text = `the backups at ${shown} have another key than the one that was given`;
      throw new ResticFailed(text, 'wrong-key', error);
    });
    const id = await findId(place.resticWith(trial)).catch(refused);
    if (id === null) throw new ResticFailed(`there are no backups at ${shown}`, 'no-repository');
    const kept = `${keyFile}.until-${new Date().toISOString().replaceAll(':', '-')}`;
    if (isOther) await onStorage(`cannot write ${kept}`, () => writeFileAtomic(kept, `${present}\n`, 0o600));
    await onStorage(`cannot write ${keyFile}`, () => rename(trial, keyFile));
    const snapshots = await listed(place);
    const isOwn = makeIsOwn(snapshots, readRecord(recordFile).machines);
    await remember(place, id, snapshots);
    const latest = new Map(snapshots.filter((one) => !isOwn(one)).map(({ host, time }) => [host, time]));
    return [...latest].map(([host, time]) => ({ host, latest: time }));
  } finally {
    await rm(trial, { force: true });
  }
}
