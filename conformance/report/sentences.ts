import { levelOfRule } from '../kernel/rules.ts';
import type { RunFacts } from './report.ts';

/** The sentences of requirements, each after its id. A should has its question too. */
export function sentencesOf(ids: readonly string[], rules: RunFacts['rules']): string[] {
  return ids.map((id) => {
    const { source = '', text = '(not in the register)' } = rules.get(id) ?? {};
    const level = levelOfRule(id);
    return `${id} (${level}): ${level === 'must' ? '' : `${source} `}${text}`;
  });
}
