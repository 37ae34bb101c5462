import { type CaseProject, openProject, openSubject, type Run } from './contract-subject.ts';

/** What the contract's cases share: one subject a test file, projects that are removed at its end, short ways to write and read. */
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

export const inspect = (name: string, format: string) =>
  subject.run(['inspect', name, '--format', format]).out.trim();

/** A service as YAML writes it in one line; it stops soon, since the real one's images take no notice of SIGTERM. */
export const service = (image: string, more = '') =>
  `{image: "${image}", stop_grace_period: 1s${more ? `, ${more}` : ''}}`;

export const one = (image: string, more = '') => `services:\n  web: ${service(image, more)}\n`;

/** The objects of a listing with `--format json`: one a line. */
export function fields(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
