import type { PushMessage } from './push.port.ts';

export function toFcmMessage(
  { token, title, body, data, collapseKey, urgent, ttl }: PushMessage,
  now = Date.now(),
) {
  const expiration = Math.floor(now / 1000) + ttl;
  return {
    message: {
      token,
      notification: { title, ...(body ? { body } : {}) },
      data,
      // `tag` instead of `collapse_key`: a device keeps only four collapse keys.
      android: { priority: urgent ? 'HIGH' : 'NORMAL', ttl: `${ttl}s`, notification: { tag: collapseKey } },
      apns: {
        headers: {
          'apns-priority': urgent ? '10' : '5',
          'apns-expiration': String(expiration),
          'apns-collapse-id': collapseKey,
        },
        payload: { aps: urgent ? { sound: 'default' } : {} },
      },
      webpush: {
        headers: { TTL: String(ttl), Urgency: urgent ? 'high' : 'normal', Topic: collapseKey },
        notification: { tag: collapseKey },
      },
    },
  };
}
