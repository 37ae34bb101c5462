import { shownName } from '../../lib/shown-text.ts';

export type Service = 'box' | 'gateway';

/** A variable of a service, such as `RELEASE_FEED`, and the file in which an owner sets it. */
export function settingOf(service: Service, name: string): string {
  return `${service.toUpperCase()}_${name} in /etc/boxgate/${service}.env`;
}

/** A message can quote foreign text of any length, but the update's state has a size limit. */
const maxLength = 1000;

/** An update or a check that failed. Its message is a sentence for the owner: one line, at most 1000 characters. */
export class UpdateFailed extends Error {
  override readonly name = 'UpdateFailed';

  constructor(sentence: string, cause?: unknown) {
    const text = shownName(sentence);
    super(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text, cause === undefined ? {} : { cause });
  }
}

/** No release feed is configured. */
export class NoReleaseFeed extends UpdateFailed {}

/** Why an update ends that was asked to stop by this signal. */
export function stoppedBy(signal: string): UpdateFailed {
  return new UpdateFailed(`the update was stopped by a signal (${signal}); start it again`);
}

/** Throws UpdateFailed. */
export function fail(sentence: string, cause?: unknown): never {
  throw new UpdateFailed(sentence, cause);
}
