import type { Tx } from '../../../platform/database.ts';
import type { AccountServices } from '../accounts/account-services.ts';

/** What the routes of the second factor work with. */
export interface SecondFactorServices extends AccountServices {
  /** Tells a person that their second factor was switched on or off, in its transaction. */
  notifySecondFactor(tx: Tx, userId: string, isOn: boolean): Promise<void>;
}
