import { createHmac } from 'node:crypto';

/** Create Stripe's webhook signature of a raw body. @param at seconds */
export function createWebhookSignature(body: string, secret: string, at: number): string {
  const digest = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${digest}`;
}
