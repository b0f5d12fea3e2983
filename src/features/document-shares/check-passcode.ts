import type { Budget } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Vault } from '../../platform/vault.ts';
import { truncateAddress } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { reservePinTries, returnPinTries, spendPinTries } from '../scans/pin-tries.repository.ts';
import type { SharedDocument } from './share.repository.ts';
import { plainPasscode } from './share.rules.ts';
import type { ShareServices } from './share-services.ts';

const MINUTE = 60;

/**
 * Compares a passcode with that of a share; a share without one ignores it. A try is reserved before (5 in 15 minutes a share
 * and truncated address, 20 an hour and 60 a day a share) and given back when it is right. Throws PASSCODE_REQUIRED where none
 * is given, at the cost of no try, PASSCODE_INCORRECT with `attemptsLeft`, and RATE_LIMITED. The owner is told when a wrong
 * one takes the last try.
 */
export async function checkPasscode(
  services: Pick<ShareServices, 'database' | 'vault' | 'pins' | 'notifyPasscodeTries'>,
  caller: Caller,
  share: SharedDocument,
  typed: string | null,
): Promise<void> {
  if (share.passcodeHash === null) return;
  const passcode = plainPasscode(typed ?? '');
  if (passcode === '') throw new ServiceError('PASSCODE_REQUIRED');
  const { database, pins } = services;
  const budgets = budgetsOf(services.vault, share.id, truncateAddress(caller.address));
  await reservePinTries(database, budgets);
  const isRight = await pins.verify(passcode, share.passcodeHash).catch(async (error: unknown) => {
    await returnPinTries(database.client, budgets);
    throw error;
  });
  if (isRight) return returnPinTries(database.client, budgets);
  const { left, waitSeconds } = await database.transaction(async (tx) => {
    const remaining = await spendPinTries(tx, budgets);
    const { documentId, ownerId, title } = share;
    await recordAction(tx, caller, {
      action: 'DOCUMENT_PASSCODE_REJECTED',
      outcome: 'DENIED',
      resourceType: 'DOCUMENT',
      resourceId: documentId,
    });
    if (remaining.left === 0) await services.notifyPasscodeTries(tx, { ownerId, documentId, title });
    return remaining;
  });
  throw new ServiceError('PASSCODE_INCORRECT', {
    members: { attemptsLeft: left },
    ...(left === 0 && { retryAfterSeconds: waitSeconds }),
  });
}

function budgetsOf(vault: Vault, shareId: string, address: string): Budget[] {
  const here = vault.hash('passcode-budget', shareId, address).toString('hex');
  const share = vault.hash('passcode-budget', shareId).toString('hex');
  return [
    { key: `passcode:${here}`, allowed: 5, windowSeconds: 15 * MINUTE },
    { key: `passcode-hour:${share}`, allowed: 20, windowSeconds: 60 * MINUTE },
    { key: `passcode-day:${share}`, allowed: 60, windowSeconds: 24 * 60 * MINUTE },
  ];
}
