import { type Finding, ok, problem } from '../../rules/findings/finding.ts';
import { sizeText } from '../../rules/text/amounts.ts';
import { type DiskSpace, isLow } from './disk-space.ts';

export function judgeDisk(disk: DiskSpace): Finding {
  const text = `${sizeText(disk.free)} of ${sizeText(disk.size)} are free for ${disk.uses.join(', ')}`;
  if (!isLow(disk)) return ok('disk', text);
  return problem('disk', `only ${text}: remove what is not needed; boxgate box space shows what apps use`);
}
