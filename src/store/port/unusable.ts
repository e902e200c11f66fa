/** A database that cannot be served from; the message tells an operator what to do about it. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}
