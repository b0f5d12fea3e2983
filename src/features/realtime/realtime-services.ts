import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';

/** What sockets work with; put together in services.ts. */
export interface RealtimeServices {
  database: Database;
  fieldCipher: FieldCipher;
  realtimeBus: RealtimeBus;
  log: { warn(details: object, message: string): void };
  /** ENTERPRISE_MODE: its rules hold for everybody. */
  isEnterpriseEnforced: boolean;
  /** RATE_LIMIT_SCALE: multiplies the limits of sockets. */
  rateLimitScale: number;
}
