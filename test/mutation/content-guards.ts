import type { GuardList } from '../../scripts/mutation/guards.ts';

/** Privacy, input, answers and uploads. */
export const CONTENT_GUARDS: GuardList = {
  'test/platform/idempotency.test.ts': {
    'an Idempotency-Key belongs to one body': 'createIdempotentHandler without IDEMPOTENCY_KEY_REUSED',
  },
  'test/features/scans/scan-reading.test.ts': {
    'a closed code shows nothing to guests': 'getGuestScanContent without isOpen',
  },
  'test/features/finder/code-pictures.test.ts': {
    'pictures of medical codes are audited': 'openGalleryByPictureTicket without commitMedicalContentAccess',
  },
  'test/shared/client-address.test.ts': {
    'stored addresses are truncated': 'truncateIpAddress returns address',
  },
  'test/shared/html.test.ts': {
    'pages escape what owners typed': 'html without escapeHtml',
  },
  'test/features/conversations/conversations.test.ts': {
    'a blocked finder starts no conversation': 'startConversation without isFinderBlocked',
    'an owner who is not contactable is not contacted': 'startConversation without contactable',
    'nobody writes into an ended conversation': 'appendMessageToLockedConversation without OPEN',
  },
  'test/features/identity/accounts/enterprise.test.ts': {
    'enterprise accounts export encrypted only': "getDataExportPolicy returns 'PLAIN'",
  },
  'test/features/personal-data/erasure.test.ts': {
    'stored responses of an erased user are deleted': 'deleteUserIdempotencyKeys without content_account_id',
  },
  'test/features/notifications/notifications.test.ts': {
    'notifications are read only by their user': 'findNotification without userId',
  },
  'test/platform/http/multipart.test.ts': {
    'forms together take a bounded memory': 'reserveFormMemory without BUSY',
  },
  'test/platform/http/request-rules.test.ts': {
    'the rules of a route run although its schema passed': 'assertRules without createValidationError',
  },
  'test/platform/http/request-log.test.ts': {
    'a log hides credentials': 'createLoggerOptions without authorization',
    'a log has no message of an error': 'createLoggerOptions without hidden',
  },
  'test/features/codes/update-own-qrcode.test.ts': {
    'a changed version is noticed by If-Match': 'assertIfMatch without PRECONDITION_FAILED',
  },
  'test/features/finder/cross-site.test.ts': {
    'a form of another site changes nothing': 'isCrossSiteForm returns false',
  },
  'test/features/documents/inspect-content.test.ts': {
    'an office file has no macros': 'detectOfficeContentType without ACTIVE_CONTENT_PATTERN',
    'an office file is not encrypted': 'detectOfficeContentType without isEncrypted',
    'a document is not also an archive of another kind': 'detectContentType without hasForeignArchive',
    'a document is not also a ZIP archive': 'detectContentType without endsWithZipArchive',
    'a text is no page and no script': 'detectTextType without MARKUP_PATTERN',
  },
  'test/features/scans/scan-export.test.ts': {
    'formulas in exported cells are escaped': 'createTableExportStream without escape_formulas',
  },
};
