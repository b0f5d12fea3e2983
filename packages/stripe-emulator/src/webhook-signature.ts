import { createHmac } from 'node:crypto';

/** The signature of a webhook request over its raw body, as Stripe makes it. @param at seconds */
export function createWebhookSignature(body: string, secret: string, at: number): string {
  const digest = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${digest}`;
}
