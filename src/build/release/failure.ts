/** The release failed. The message is one line; `status` is the exit status. */
export class ReleaseFailed extends Error {
  override name = 'ReleaseFailed';
  readonly status: 1 | 2;

  constructor(message: string, status: 1 | 2 = 1) {
    super(message);
    this.status = status;
  }
}
