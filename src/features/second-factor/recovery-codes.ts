import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { recoveryCodeHash } from './check-second-factor.ts';
import { replaceRecoveryCodes } from './recovery-code.repository.ts';
import { newRecoveryCodes } from './recovery-code.rules.ts';

/** Gives a person new recovery codes, the only time that they can be read; the old ones are void. */
export async function giveRecoveryCodes(vault: Vault, tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryCodeHash(vault, userId, code)),
  );
  return codes;
}
