import { NON_BLANK_LINE_PATTERN } from '../../../shared/common.schemas.ts';
import type { ErrorCode } from '../../../shared/errors.ts';

/**
 * ENTER: the identity is known. LINK: its address belongs to somebody who has confirmed it. CLEAR: the address waits
 * for confirmation, so that whoever registered it has not shown that it is theirs.
 */
export type IdentityLinkDecision = 'ENTER' | 'LINK' | 'CLEAR' | { errorCode: ErrorCode };

/**
 * What to do with a person whose address the provider has verified.
 * @param linkedStatus state of the person the identity belongs to, null where it belongs to nobody yet
 * @param owner the account of the address, which decides only then
 */
export function decideIdentityLink(
  linkedStatus: string | null,
  owner: { status: string; hasIdentityOfIssuer: boolean },
): IdentityLinkDecision {
  const status = linkedStatus ?? owner.status;
  if (status === 'SUSPENDED') return { errorCode: 'ACCOUNT_SUSPENDED' };
  const isOpen = status === 'VERIFIED' || status === 'ACTIVE';
  if (linkedStatus !== null) return isOpen ? 'ENTER' : { errorCode: 'SIGN_IN_INVALID' };
  // The provider may have given the address to somebody else since.
  if (owner.hasIdentityOfIssuer) return { errorCode: 'IDENTITY_CONFLICT' };
  if (status === 'PENDING_VERIFICATION') return 'CLEAR';
  return isOpen ? 'LINK' : { errorCode: 'SIGN_IN_INVALID' };
}

const NAME_PATTERN = new RegExp(NON_BLANK_LINE_PATTERN, 'u');

/** A name as a provider gives it, where it could be entered as one; else null. */
export function parseProviderName(input: string | undefined): string | null {
  const name = input?.normalize('NFC').trim() ?? '';
  return name.isWellFormed() && [...name].length <= 100 && NAME_PATTERN.test(name) ? name : null;
}

/** The provider as mails call it. */
export function formatProviderName(issuer: string): string {
  if (issuer === 'https://accounts.google.com') return 'Google';
  return URL.canParse(issuer) ? new URL(issuer).host : 'the emulator of this machine';
}
