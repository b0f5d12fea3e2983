import type { WebPushSubscription } from '../../../providers/push/push.port.ts';

/** Format a subscription for its encrypted column. The same browser has the same text. */
export function formatSubscription({ endpoint, p256dh, auth }: WebPushSubscription): string {
  return JSON.stringify([endpoint, normalizeBase64Url(p256dh), normalizeBase64Url(auth)]);
}

export function parseSubscription(text: string): WebPushSubscription {
  const [endpoint = '', p256dh = '', auth = ''] = JSON.parse(text) as string[];
  return { endpoint, p256dh, auth };
}

/** Padding is optional. */
function normalizeBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString('base64url');
}
