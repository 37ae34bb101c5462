/** The disk is full, read-only or returns an error. The message is a sentence for the owner. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}
