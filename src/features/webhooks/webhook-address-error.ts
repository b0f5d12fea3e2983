/** Why an address cannot be sent to. */
export class WebhookAddressError extends Error {
  override readonly name = 'WebhookAddressError';
  readonly reason: 'NAME_NOT_RESOLVED' | 'ADDRESS_NOT_ALLOWED';

  constructor(reason: WebhookAddressError['reason']) {
    super(reason);
    this.reason = reason;
  }
}
