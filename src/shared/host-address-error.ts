/** Why an address cannot be sent to. */
export class HostAddressError extends Error {
  override readonly name = 'HostAddressError';
  readonly reason: 'NAME_NOT_RESOLVED' | 'ADDRESS_NOT_ALLOWED';

  constructor(reason: HostAddressError['reason']) {
    super(reason);
    this.reason = reason;
  }
}
