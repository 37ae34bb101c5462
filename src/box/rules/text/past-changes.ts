import { parseJsonLines } from './json-lines.ts';

export type AppChangeLine = {
  app: string;
  at: string;
  operation: string;
  by: string;
  outcome: 'ok' | 'failed' | 'refused';
  detail: string;
  durationMs: number;
};

const mostOfApp = 10;

/** The line of a change that was cut off, and finished or undone afterwards. */
export function cutOffLine(
  { app, operation }: { app: string; operation: string },
  isDone: boolean,
): Omit<AppChangeLine, 'app' | 'at'> & { subject: string } {
  return {
    subject: app,
    by: 'the box, which was cut off',
    durationMs: 0,
    operation,
    outcome: isDone ? 'ok' : 'failed',
    detail: isDone ? 'was cut off, and is finished' : 'was cut off; the app is as it was before',
  };
}

export function parseChanges(text: string): AppChangeLine[] {
  return parseJsonLines(text).filter((line): line is AppChangeLine => {
    const texts = [line.app, line.at, line.operation, line.by, line.outcome, line.detail];
    return texts.every((one) => typeof one === 'string') && typeof line.durationMs === 'number';
  });
}

export function latestChanges(lines: readonly AppChangeLine[]): AppChangeLine[] {
  const ofApps = [...Map.groupBy(lines, ({ app }) => app).values()];
  const latest = new Set(ofApps.flatMap((own) => own.slice(-mostOfApp)));
  return lines.filter((line) => latest.has(line));
}
