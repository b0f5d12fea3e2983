import type { Database } from '../../platform/database.ts';
import type { Announcer } from '../../platform/realtime/announcer.ts';
import type { Vault } from '../../platform/vault.ts';

/** What sockets work with; put together in services.ts. */
export interface RealtimeServices {
  database: Database;
  vault: Vault;
  announcer: Announcer;
  log: { warn(details: object, message: string): void };
  /** ENTERPRISE_MODE: its rules hold for everybody. */
  enterpriseForAll: boolean;
  /** RATE_LIMIT_SCALE: multiplies the limits of sockets. */
  rateLimitScale: number;
}
