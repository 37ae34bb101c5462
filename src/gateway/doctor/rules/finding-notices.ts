import type { Notice, NoticeLog } from '../../../notify/rules/notices.ts';
import type { Finding } from './diagnosis.ts';

/**
 * The notices of an examination. The operator hears of a finding when it is there for the second time, because a gateway
 * that restarts is no news, and of its end.
 */
export function findingNotices(findings: readonly Finding[], { topics }: Pick<NoticeLog, 'topics'>): Notice[] {
  const present = new Map(findings.map(({ topic, about, text }) => [topic, `${about}: ${text}`]));
  const found = [...present].map(([topic, text]) => {
    const { told, state } = topics[topic] ?? { told: 'ok', state: 'ok' };
    const isNew = told === 'ok' && state === 'ok';
    return { topic, state: isNew ? 'seen' : 'found', text: isNew ? null : text };
  });
  const gone = Object.entries(topics)
    .filter(([topic]) => !present.has(topic))
    .map(([topic, { state, text }]) => ({ topic, state: 'ok', text: state === 'found' ? `no longer: ${text}` : null }));
  return [...found, ...gone];
}
