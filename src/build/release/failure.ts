/** The release failed for a reason that the maintainer can mend. The message is one line. */
export class ReleaseFailed extends Error {
  override name = 'ReleaseFailed';
}
