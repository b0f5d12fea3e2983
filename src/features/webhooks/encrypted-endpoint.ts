import { defineColumnCipher } from '../../platform/column-cipher.ts';
import { webhooksCatalogue } from './catalogue.ts';
import type { WebhookSecret } from './webhook-signature.rules.ts';

export const WEBHOOK_URL = defineColumnCipher(webhooksCatalogue, 'webhook_endpoints.url').of<string>();

export const WEBHOOK_SECRETS = defineColumnCipher(webhooksCatalogue, 'webhook_endpoints.secrets').of<
  readonly WebhookSecret[]
>();
