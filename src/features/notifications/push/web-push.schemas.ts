import { Type } from 'typebox';
import { NON_BLANK_LINE_PATTERN, nullable } from '../../../shared/common.schemas.ts';

export const WebPushKey = Type.Object(
  {
    publicKey: Type.String({
      description: 'For `applicationServerKey` of `pushManager.subscribe()`: a point of P-256 in base64url.',
    }),
  },
  { $id: 'WebPushKey' },
);

/** The JSON of a PushSubscription of the browser, with the key that it was made with. */
export const NewWebPushSubscription = Type.Object({
  endpoint: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^[!-~]*$',
    description: 'URL of the push service of the browser. It is never returned.',
  }),
  keys: Type.Object({
    p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$', description: 'Public key of the browser.' }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', description: 'Secret of the browser.' }),
  }),
  expirationTime: Type.Optional(
    nullable(Type.Number({ description: 'Of the browser; the push service tells when it is over.' })),
  ),
  applicationServerKey: Type.String({
    pattern: '^[A-Za-z0-9_-]{87}$',
    description: 'The key that the browser subscribed with, which must be the current one.',
  }),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: NON_BLANK_LINE_PATTERN,
      description: 'Name of the device; by default browser and system.',
    }),
  ),
});
