import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { WebhookSecret } from './webhook-signature.rules.ts';

interface EndpointKey {
  id: string;
  accountId: string;
}

export function encryptWebhookUrl(fieldCipher: FieldCipher, endpoint: EndpointKey, url: string) {
  return fieldCipher.encrypt(toFieldLocation('url', endpoint), url);
}

/** @throws DATA_INTEGRITY */
export function decryptWebhookUrl(
  fieldCipher: FieldCipher,
  endpoint: EndpointKey & { url: Uint8Array },
): string {
  return fieldCipher.decrypt<string>(toFieldLocation('url', endpoint), endpoint.url);
}

export function encryptWebhookSecrets(
  fieldCipher: FieldCipher,
  endpoint: EndpointKey,
  secrets: readonly WebhookSecret[],
) {
  return fieldCipher.encrypt(toFieldLocation('secrets', endpoint), secrets);
}

/** @throws DATA_INTEGRITY */
export function decryptWebhookSecrets(
  fieldCipher: FieldCipher,
  endpoint: EndpointKey & { secrets: Uint8Array },
): WebhookSecret[] {
  return fieldCipher.decrypt<WebhookSecret[]>(toFieldLocation('secrets', endpoint), endpoint.secrets);
}

function toFieldLocation(column: 'url' | 'secrets', { id, accountId }: EndpointKey) {
  return { table: 'webhook_endpoints', column, rowId: id, accountId };
}
