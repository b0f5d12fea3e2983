import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { hashRecoveryCode } from './consume-second-factor-proof.ts';
import { replaceRecoveryCodes } from './recovery-code.repository.ts';
import { generateRecoveryCodes } from './recovery-code.rules.ts';

export async function issueRecoveryCodes(
  fieldCipher: FieldCipher,
  tx: Tx,
  userId: string,
): Promise<string[]> {
  const codes = generateRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashRecoveryCode(fieldCipher, userId, code)),
  );
  return codes;
}
