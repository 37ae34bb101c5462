import { type CaseProject, openProject, openSubject, type Run } from './contract-subject.ts';

/** Shared helpers of the contract tests: one subject per test file, projects that are removed at the end. */
export const subject = await openSubject();
export const isOld = subject.run(['compose', 'version', '--short']).out.startsWith('2.26.');
const projects: CaseProject[] = [];

export function closeAll(): void {
  for (const project of projects) project.remove();
  subject.close();
}

export function newProject(): CaseProject {
  const project = openProject(subject);
  projects.push(project);
  return project;
}

export function lines(run: Run): string[] {
  return run.err.split('\n').filter(Boolean);
}

export const inspect = (name: string, format: string) => subject.run(['inspect', name, '--format', format]).out.trim();

/** A service in one line of YAML. The grace period is short, because the images of real runs ignore SIGTERM. */
export const service = (image: string, more = '') =>
  `{image: "${image}", stop_grace_period: 1s${more ? `, ${more}` : ''}}`;

export const one = (image: string, more = '') => `services:\n  web: ${service(image, more)}\n`;

/** Parses a listing with `--format json`. */
export function fields(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
