import type { GuardList } from '../../scripts/mutation/guards.ts';

/** How much and how often: attempts, requests, records, memory. */
export const LIMIT_GUARDS: GuardList = {
  'test/platform/attempt-budget.test.ts': {
    'an exhausted budget refuses': 'consumeAttempts without RATE_LIMITED',
  },
  'test/features/memory-tags/guest-book.test.ts': {
    'no entry is restored beyond 500 to decide on':
      'restoreDeletedGuestBookEntry without TOO_MANY_PENDING_ENTRIES',
  },
  'test/features/scans/pin-limits.test.ts': {
    'five PINs in 15 minutes from a network': 'createPinLimits without 5',
    'sixty PINs a day of a code': 'createPinLimits without 60',
  },
  'test/features/scans/claims/claims.test.ts': {
    'a wrong claim code is refused': 'verifyClaimCode returns undefined',
    'a claim is undone within a day': 'getUndoableTag without CLAIM_FINAL',
  },
  'test/features/documents/shares/passcodes.test.ts': {
    'a link with a passcode asks for it': 'verifySharePasscode without PASSCODE_REQUIRED',
    'a wrong passcode is refused': 'verifySharePasscode returns undefined',
  },
  'test/features/identity/accounts/log-in.test.ts': {
    'failed logins are delayed': 'consumeLoginAttempt without createLoginDelayError',
    'ten failed logins are free': 'MAX_FREE_LOGIN_FAILURES times 1000',
  },
  'test/features/identity/accounts/consecutive-failures.test.ts': {
    'fifty wrong passwords in a row': 'MAX_CONSECUTIVE_LOGIN_FAILURES without 50',
    'wrong codes in a row are limited': 'consumeSecondFactorProof without getMaxConsecutiveLoginFailures',
    'a wrong code counts as a failure': 'consumeSecondFactorProof without incrementWrongTotpCodes',
  },
  'test/features/identity/second-factor/verify.test.ts': {
    'five codes of the second factor in 15 minutes': 'MAX_CODE_ATTEMPTS times 1000',
  },
  'test/features/codes/imports.test.ts': {
    'a thousand errors of an import are stored': 'MAX_STORED_IMPORT_ERRORS times 1000',
  },
  'test/features/identity/second-factor/rules.test.ts': {
    'a TOTP code counts one step around the clock': 'TOTP_WINDOW_STEPS times 1000',
  },
  'test/features/identity/accounts/verify-otp.test.ts': {
    'five tries of a mailed code': 'MAX_OTP_ATTEMPTS times 1000',
  },
  'test/platform/http/rate-limits.test.ts': {
    'twenty logins a minute from an address': 'MAX_REQUESTS_PER_CLIENT without auth',
    'all accounts of an address have a shared limit': 'rateLimitsPlugin without limitSharedAddress',
    'thirty scans a minute of a code from an address': 'MAX_REQUESTS_PER_CODE without public-scan',
    'an IPv6 site has ten times the limit of a client': 'rateLimitsPlugin without limitIpv6Site',
  },
  'test/features/conversations/conversations.test.ts': {
    'five new conversations an hour': 'MAX_STARTED_PER_HOUR times 1000',
  },
  'test/features/administration/break-glass.test.ts': {
    'twenty emergency accesses an hour': 'MAX_GRANTS_PER_HOUR times 1000',
  },
  'test/features/documents/grants/grants.test.ts': {
    'a hundred links to a document': 'createDocumentShareLink without countActiveDocumentShares',
  },
  'test/features/owner-pages/documents/sharing.test.ts': {
    'five documents on the page of a code':
      'createDocumentShareLink without findActiveDocumentSharesByQrCode',
  },
  'test/features/codes/list-cursors.test.ts': {
    'a cursor belongs to its list, filters and sort': 'parseListPage without CURSOR_MISMATCH',
  },
  'test/shared/fair-limiter.test.ts': {
    'one client does not fill the queue of all': 'createFairLimiter without RATE_LIMITED',
    'the queue of all has an end': 'createFairLimiter without BUSY',
  },
  'test/shared/limiter.test.ts': {
    'a queue has an end': 'createConcurrencyLimiter without BUSY',
  },
  'test/platform/idempotency.test.ts': {
    'stored responses of a network take a bounded space': 'MAX_STORED_KIB times 1000',
  },
  'test/features/conversations/reply-mails.test.ts': {
    'twenty confirmation mails an hour of a network': 'MAX_CONFIRMATIONS_PER_HOUR times 1000',
  },
  'test/features/memory-tags/caretakers.test.ts': {
    'ten caretakers of a memory tag': 'MAX_CARETAKERS times 1000',
  },
};
