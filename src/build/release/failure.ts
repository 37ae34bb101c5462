/** A release that cannot be made: its message is one line, and the exit status is its own. */
export class ReleaseFailed extends Error {
  override name = 'ReleaseFailed';
  readonly status: 1 | 2;

  constructor(message: string, status: 1 | 2 = 1) {
    super(message);
    this.status = status;
  }
}
