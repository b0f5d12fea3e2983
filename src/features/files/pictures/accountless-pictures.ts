import type { NetworkAttemptRule } from '../../../platform/network-attempts.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';

/** In bytes: pictures that clients without an account add, of registrations and of codes that are not made yet. */
export const ACCOUNTLESS_PICTURE_BYTES_RULE: NetworkAttemptRule = {
  name: 'accountless-pictures',
  windowSeconds: DAY_SECONDS,
  perNetwork: 20_000_000,
  open: 400_000_000,
  reserve: { perNetwork: 4_000_000, perProvider: 40_000_000 },
  max: 800_000_000,
};
