import type { Tx } from '../../platform/database.ts';
import type { SecondFactorServices } from '../identity/index.ts';
import type { BreakGlassEvent } from '../notifications/index.ts';

/** What the routes of administration and support work with. */
export interface AdministrationServices extends SecondFactorServices {
  /** Tells a person of their new role, in its transaction. */
  notifyRoleChanged(tx: Tx, userId: string, role: string): Promise<void>;
  /** Tells a person that an administrator may read a record of theirs, in its transaction. */
  notifyBreakGlass(tx: Tx, record: BreakGlassEvent): Promise<void>;
}
