import type { GuardList } from '../../scripts/mutation/guards.ts';

/** Encryption, the audit trail, payments, and triggers that hold whoever writes. */
export const INTEGRITY_GUARDS: GuardList = {
  'test/shared/crypto/envelope.test.ts': {
    'a medical ciphertext is authenticated before it is decrypted': 'decryptCbc without computeCbcTag',
    'a ciphertext is bound to its table': 'createAssociatedData without table',
    'a ciphertext is bound to its column': 'createAssociatedData without column',
    'a ciphertext is bound to its row': 'createAssociatedData without rowId',
    'a ciphertext is bound to its owner': 'createAssociatedData without ownerId',
    'the parts of a location cannot run into each other': 'addLengthPrefix returns Buffer.from(part)',
  },
  'test/shared/crypto/chunked-cipher.test.ts': {
    'the last chunk of a file is marked, so that it cannot be cut off': 'createNonce without isLast',
    'chunks of a file cannot change places': 'createNonce without writeUIntBE',
    'a file decrypts only as the file it is': 'createFileAssociatedData without fileId',
    'a file that ends early is refused': 'decryptChunks without FileIntegrityError',
  },
  'test/shared/crypto/key-set.test.ts': {
    'a key has 32 bytes': 'findEntryProblem without KEY_BYTES',
    'a key that is a pattern is refused': 'isRepeatingPattern returns false',
    'a missing key is noticed': 'findKeyCheckProblems without missing',
  },
  'test/shared/crypto/key-file.test.ts': {
    'a key file has one primary key': 'parseKeyFile without primaries',
  },
  'test/shared/crypto/keyed-hash.test.ts': {
    'a keyed hash covers its parts': 'createKeyedHashFunction without addLengthPrefix',
    'different values are not equal': 'timingSafeEquals returns true',
  },
  'test/features/audit/sealing.test.ts': {
    'one instance seals at a time': 'sealNextAuditBatch without tryLockAuditSealer',
    'each audit entry waits for its seal': 'trigger audit_entries_queue_unsealed',
  },
  'test/features/audit/trail-format.rules.test.ts': {
    'a seal covers the action of an entry': 'computeAuditSeal without action',
    'a seal covers the outcome of an entry': 'computeAuditSeal without outcome',
    'a seal covers the actor of an entry': 'computeAuditSeal without actorReference',
    'a seal covers the subject of an entry': 'computeAuditSeal without subjectReference',
    'a seal covers the time of an entry': 'computeAuditSeal without createdAt',
    'a seal covers the changes of an entry': 'computeAuditSeal without changes',
    'the signature of a batch covers its last seal': 'encodeAuditBatchMessage without lastHash',
    'the signature of a batch covers its members': 'encodeAuditBatchMessage without members',
  },
  'test/features/audit/verify-entry.test.ts': {
    'verification finds a changed entry': 'verifyNextAuditEntry without startsWith',
    'verification finds a changed seal': 'verifyNextAuditEntry without sealHash',
  },
  'test/start/keys.test.ts': {
    'a start with another secret is refused': 'findSecretProblems returns []',
    'of parallel first starts with different keys only one succeeds':
      'verifyKeysMatchDatabase without lockKeyChecks',
    'a wrong pepper is refused': 'findCheckValueProblems without PASSWORD_PEPPERS',
  },
  'test/providers/payments/stripe-signature.test.ts': {
    'a webhook is signed': 'verifyStripeWebhookBody returns JSON.parse(decodeBody(body))',
    'a webhook has a signature': 'verifyStripeWebhookBody without MISSING',
    'a signature from the future is refused': 'verifyStripeWebhookBody without TOLERANCE_SECONDS',
    'a signature covers the exact bytes': 'verifyStripeWebhookBody without fatal',
    'an event of the other mode is refused': 'createStripeEventMethods without MODE',
  },
  'test/providers/payments/stripe-events.test.ts': {
    'only an end is read from an event': 'toSubscriptionClosure without isOver',
    'events of connected accounts are ignored': 'createStripeEventMethods without account',
  },
  'test/features/billing/payments/sync.system.test.ts': {
    'a sync that lost its lease writes nothing': 'finishPaymentSync without lease',
  },
  'test/features/billing/subscriptions/refunds.test.ts': {
    'a reversed invoice asks for its subscription': 'listReversedSubscriptions returns []',
  },
  'test/features/billing/payments/reversed-payments.test.ts': {
    'a subscription that was not sold here is left alone': 'endReversedSubscription without sold',
    'a lost dispute ends the package': 'hasReversedPayment without is_dispute_lost',
    'a refund in part keeps the package': 'hasReversedPayment without amount_paid',
    'a refund of an earlier period keeps the package': 'hasReversedPayment without period_end',
  },
  'test/features/billing/payments/payment-lock.test.ts': {
    'a sync waits for a checkout of the same user': 'lockPaymentCustomerUser without lockUserPayments',
    'nothing is stored for an erased user': 'lockPaymentCustomerUser without is_erased',
  },
  'test/features/billing/payments/subscription-state.rules.test.ts': {
    'an ended subscription stays ended': 'applyRemoteSubscription without CANCELED',
  },
  'test/features/billing/subscriptions/checkout.test.ts': {
    'nobody buys twice': 'openCheckout without ALREADY_SUBSCRIBED',
    'parallel checkouts are one': 'chooseCheckout without lockUserPayments',
    'a user sees only own checkouts': 'findCheckout without accountId',
  },
  'test/features/billing/subscriptions/own-subscription.test.ts': {
    'a user reads only own subscriptions': 'findSubscription without account_id',
    'a preview expires': 'changeSubscription without PREVIEW_EXPIRED',
    'only an active subscription is changed': 'previewPlanChange without isStateWithPackage',
  },
  'test/features/billing/subscriptions/limits.test.ts': {
    'parallel creations share the limit': 'lockQuota returns undefined',
    'what is above the limit is read-only': 'hasMinimumOlderRecords returns false',
  },
  'test/features/billing/subscriptions/plan-of-user.test.ts': {
    'an unpaid subscription has no package': 'createUserPackageQuery without STATES_WITH_PACKAGE_SQL',
  },
  'test/features/billing/payments/invoice-state.rules.test.ts': {
    'a refunded payment is no receipt': 'applyRemoteInvoice without isRefunded',
  },
  'test/providers/payments/stripe-mapping.test.ts': {
    'a paused collection pays for nothing': 'toSubscriptionState without PAUSED',
  },
  'test/features/audit/append-only.test.ts': {
    'audit entries are never changed': 'trigger audit_entries_append_only',
    'audit seals are never changed': 'trigger audit_seals_append_only',
    'signed batches of the audit trail are never changed': 'trigger audit_seal_batches_append_only',
    'audit entries are never removed before their time': 'trigger audit_entries_removal_guard',
    'audit seals are never removed before their time': 'trigger audit_seals_removal_guard',
    'signed batches of the audit trail are never removed before their time':
      'trigger audit_seal_batches_removal_guard',
    'what was recorded of a dropped range is never changed': 'trigger audit_dropped_ranges_append_only',
  },
  'test/features/audit/retention.test.ts': {
    'only a range that is old enough is dropped from the audit trail': 'trigger audit_dropped_ranges_check',
  },
  'test/features/personal-data/erased-account.test.ts': {
    'an erased account stays erased': 'trigger users_erasure_final',
    'an erased account gets no session': 'trigger sessions_erasure_guard',
    'an erased account gets no reset link': 'trigger password_resets_erasure_guard',
    'an erased account gets no code': 'trigger qr_codes_erasure_guard',
    'an erased account gets no document': 'trigger documents_erasure_guard',
  },
  'test/features/notifications/push/push-devices.test.ts': {
    'the phone of an ended session gets no push message': 'trigger sessions_delete_devices',
  },
  'test/features/administration/packages.test.ts': {
    'a package that was sold does not change': 'trigger subscription_package_versions_immutable',
  },
  'test/features/codes/account-moves.test.ts': {
    'an erased account gets no code': 'moveQrCode without lockAccountsForMove',
    'a code needs room in its new account': 'moveQrCode without qrCodes',
  },
};
