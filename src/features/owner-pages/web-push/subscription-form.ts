import { type Static, Type } from 'typebox';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import type { WebPushProvider } from '../../../providers/push/push.port.ts';
import { findSubscriptionErrors, NewWebPushSubscription } from '../../notifications/index.ts';

/** What the script `web-push` fills in. */
export const SubscriptionForm = Type.Object({
  endpoint: Type.Optional(Type.String()),
  p256dh: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
  applicationServerKey: Type.Optional(Type.String()),
  codeAccountId: Type.Optional(Type.String()),
  codeId: Type.Optional(Type.String()),
});

const findSchemaErrors = createBodyValidator(NewWebPushSubscription);

/** Null where nothing can be pushed to it. */
export function parseSubscriptionForm(
  webPush: WebPushProvider,
  { endpoint = '', p256dh = '', auth = '', applicationServerKey = '' }: Static<typeof SubscriptionForm>,
): Static<typeof NewWebPushSubscription> | null {
  const input = { endpoint, keys: { p256dh, auth }, applicationServerKey };
  const errors = [...findSchemaErrors(input), ...findSubscriptionErrors(webPush, input)];
  return errors.length > 0 ? null : input;
}
