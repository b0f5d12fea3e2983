import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';
import type { TypingTracker } from '../../platform/realtime/typing.ts';

export interface RealtimeServices {
  database: Database;
  fieldCipher: FieldCipher;
  realtimeBus: RealtimeBus;
  typing: TypingTracker;
  log: { warn(details: object, message: string): void };
  isEnterpriseEnforced: boolean;
  /** Multiplies the limits of sockets (RATE_LIMIT_SCALE). */
  rateLimitScale: number;
}
