import type { PushContent, PushProvider, WebPushProvider } from '../../../providers/push/push.port.ts';
import { PushError } from '../../../providers/push/push.port.ts';
import { parseSubscription } from './web-push-subscription.ts';

export interface DeviceAddress {
  /** Decrypted: a token of Firebase, or the subscription of a browser. */
  secret: string;
  isBrowser: boolean;
}

/** Create the function that pushes to a device by the provider that reaches it. It throws PushError. */
export function createDeviceSender({
  push,
  webPush,
}: {
  push: PushProvider | null;
  webPush: WebPushProvider;
}): (device: DeviceAddress, content: PushContent) => Promise<void> {
  return async ({ secret, isBrowser }, content) => {
    if (isBrowser) return webPush.send(parseSubscription(secret), content);
    if (!push) throw new PushError('REFUSED', 'NOT_CONFIGURED');
    return push.send({ token: secret, ...content });
  };
}
