import type { Static } from 'typebox';
import type { WebPushProvider } from '../../../providers/push/push.port.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { NewWebPushSubscription } from './web-push.schemas.ts';

type Subscription = Static<typeof NewWebPushSubscription>;

/** Find why nothing can be pushed to a subscription. Fields that are missing were reported by the schema. */
export function findSubscriptionErrors(
  webPush: Pick<WebPushProvider, 'publicKey' | 'isAllowedEndpoint' | 'areKeysValid'>,
  {
    endpoint,
    keys: { p256dh, auth } = {},
    applicationServerKey,
  }: Partial<Omit<Subscription, 'keys'>> & { keys?: Partial<Subscription['keys']> },
): FieldError[] {
  const errors: FieldError[] = [];
  if (endpoint !== undefined && !webPush.isAllowedEndpoint(endpoint))
    errors.push({
      field: 'endpoint',
      code: 'NOT_ALLOWED',
      message: 'Must be a URL of a known push service.',
    });
  if (p256dh !== undefined && auth !== undefined && !webPush.areKeysValid({ p256dh, auth }))
    errors.push({ field: 'keys.p256dh', code: 'NOT_ALLOWED', message: 'Must be a point of P-256.' });
  if (applicationServerKey !== undefined && applicationServerKey !== webPush.publicKey)
    errors.push({
      field: 'applicationServerKey',
      code: 'NOT_ALLOWED',
      message: 'Must be the current key; subscribe again with it.',
    });
  return errors;
}
