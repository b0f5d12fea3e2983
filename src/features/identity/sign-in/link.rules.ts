import { NON_BLANK_LINE_PATTERN } from '../../../shared/common.schemas.ts';
import type { ServiceErrorCode } from '../../../shared/errors.ts';

/** ENTER: known. LINK: address of a verified user. CLEAR: of an unverified registration, whose data goes. */
export type IdentityLinkDecision = 'ENTER' | 'LINK' | 'CLEAR' | { errorCode: ServiceErrorCode };

/** Expects a verified address. `linkedStatus` is null when it is not linked; only then `owner` is used. */
export function decideIdentityLink(
  linkedStatus: string | null,
  owner: { status: string; isLinkable: boolean },
): IdentityLinkDecision {
  const status = linkedStatus ?? owner.status;
  if (status === 'SUSPENDED') return { errorCode: 'ACCOUNT_SUSPENDED' };
  const isOpen = status === 'VERIFIED' || status === 'ACTIVE';
  if (linkedStatus !== null) return isOpen ? 'ENTER' : { errorCode: 'SIGN_IN_INVALID' };
  if (!owner.isLinkable) return { errorCode: 'IDENTITY_CONFLICT' };
  if (status === 'PENDING_VERIFICATION') return 'CLEAR';
  return isOpen ? 'LINK' : { errorCode: 'SIGN_IN_INVALID' };
}

const NAME_PATTERN = new RegExp(NON_BLANK_LINE_PATTERN, 'u');

/** Null when the profile would not accept the name. */
export function parseProfileNameFromProvider(input: string | undefined): string | null {
  const name = input?.normalize('NFC').trim() ?? '';
  return name.isWellFormed() && [...name].length <= 100 && NAME_PATTERN.test(name) ? name : null;
}

export function formatIdentityProviderName(issuer: string): string {
  if (issuer === 'https://accounts.google.com') return 'Google';
  return URL.canParse(issuer) ? new URL(issuer).host : 'the emulator of this machine';
}
