import type { ShownAction } from '../../report.ts';

export function missingDiskText(problem: string): string {
  return `Not started: ${problem.split(';', 1)[0]}. Mount the disk, and it starts within a minute.`;
}

/** Starts an app with the folders that there are. */
export function acceptDisk(name: string): ShownAction {
  const text = 'If its disk is only not mounted, the app begins anew in an empty folder, and does not see its data.';
  return {
    act: 'apps/accept',
    label: 'Accept the disk',
    about: name,
    kind: 'danger',
    doing: `Starting ${name}`,
    given: { app: name },
    question: { title: `Start ${name} with its folders as they are?`, text, answer: 'Start it' },
  };
}
