import type { ChangeEntry } from '../../lib/journal.ts';
import type { UpdateState } from '../../self-update/rules/update-state.ts';
import { Refusal } from '../api/refusals.ts';
import { problemsOfBackups, problemTexts } from '../backup/backup-problems.ts';
import { type Notice, type Picture, StorageFailed } from '../core.ts';
import { checkSelfUpdate } from '../self-update.ts';
import { isOn } from './notifier.ts';
import type { NotifyBox } from './ports.ts';
import { type DownSince, judgeApps } from './rules/judge-apps.ts';

/** Docker may be restarted by an upgrade of the machine. */
const engineAwayMs = 60_000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Looks at everything that the owner gets messages about: the apps and Docker at each call, disks, backups, newer
 * versions and updates once a minute, newer versions of boxgate once a day. The result is called every few seconds, and sends what is due. It asks
 * Docker nothing, does nothing while notifications are off, and never throws.
 */
export function watchBox(box: NotifyBox): () => Promise<void> {
  let failure: Picture['failure'] | undefined;
  let awaySince: number | null = null;
  let since: DownSince = new Map();
  let lookAt = 0;
  let askAt = 0;
  box.observer.onPicture((picture) => {
    failure = picture.failure;
    awaySince = failure === null ? null : (awaySince ?? box.now().getTime());
  });

  const lookAtApps = (now: number) => {
    if (failure === null) box.notify({ topic: 'docker', state: 'ok', text: 'Docker answers again.' });
    if (failure && awaySince !== null && now - awaySince >= engineAwayMs)
      box.notify({ topic: 'docker', state: 'down', text: `Docker does not answer: ${failure.message}` });
    const states = box.states.of(box.apps.all('installed'));
    const isChanging = box.changes.waiting() > 0 || box.backup.files.journal() !== null;
    const judged = judgeApps(states, since, { now, isChanging });
    since = judged.since;
    for (const notice of judged.notices) box.notify(notice);
    // An app that was removed is not down any more, also if another one gets its name later.
    for (const topic of Object.keys(box.notifications.log.load().topics)) {
      const name = /^(?:app|version of|update of) (.+)$/s.exec(topic)?.[1];
      if (name !== undefined && !states.has(name)) box.notify({ topic, state: 'ok', text: null });
    }
  };

  return async () => {
    if (!isOn(box.notifications)) return;
    const now = box.now().getTime();
    try {
      lookAtApps(now);
      if (now >= lookAt) {
        lookAt = now + minuteMs;
        box.notify(backupNotice(box));
        for (const notice of box.subjects.flatMap(({ notices }) => notices?.() ?? [])) box.notify(notice);
        box.notify(updateNotice(await box.selfUpdate.updateFiles.readState(), now));
      }
      if (now >= askAt) {
        askAt = now + dayMs;
        await noticeNewerBoxgate(box);
      }
    } catch (error) {
      // The apps cannot be listed now; the page says why.
      if (!(error instanceof StorageFailed)) box.report(error);
    }
    await box.deliver();
  };
}

function backupNotice(box: NotifyBox): Notice {
  const topic = 'backups';
  const problems = problemsOfBackups(box, box.apps.all('installed'));
  if (problems.size === 0) return { topic, state: 'ok', text: 'Backups are made again.' };
  // Another text for the same apps, such as that of the next night, is no news.
  return {
    topic,
    state: `failed: ${[...problems.keys()].sort()}`,
    text: `Backups fail. ${problemTexts(box).join('; ')}`,
  };
}

/** A failure of long ago is no news for an owner who turns notifications on. */
function updateNotice(state: UpdateState, now: number): Notice {
  const { stage, attempt = '', finished_at: at = '', reason = 'the reason is unknown' } = state;
  const isFailed = stage === 'rolled_back' && now - Date.parse(at) < dayMs;
  const text = isFailed ? `The update of boxgate failed: ${reason}` : null;
  return { topic: 'boxgate update', state: isFailed ? `failed ${attempt || at}` : 'ok', text };
}

/** A feed that does not answer is asked again the next day. */
async function noticeNewerBoxgate(box: NotifyBox): Promise<void> {
  try {
    const { latest, update_available: isNewer, current } = await checkSelfUpdate(box.selfUpdate);
    const text = isNewer ? `boxgate ${latest} is there; this box has ${current}. The page can update it.` : null;
    box.notify({ topic: 'boxgate version', state: isNewer ? latest : 'ok', text });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** The message to the owner about a change: that the update of an app failed. */
export function noticeOf({ operation, subject, outcome, detail }: ChangeEntry): Notice | null {
  if (operation !== 'update' || outcome === 'refused') return null;
  const isFailed = outcome === 'failed';
  const text = isFailed ? `The update of ${subject} failed: ${detail}` : null;
  return { topic: `update of ${subject}`, state: isFailed ? 'failed' : 'ok', text };
}
