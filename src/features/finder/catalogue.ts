import { defineAuditAction, defineCatalogue, defineError } from '../../shared/catalogue.ts';

export const finderCatalogue = defineCatalogue({
  errors: {
    POSTER_UNAVAILABLE: defineError(
      409,
      'The code has no poster.',
      'Only a DYNAMIC code that is reported as lost has one: POST /api/qrcodes/<id>/lost.',
    ),
  },
  auditActions: {
    QRCODE_TEST_LINK_USED: defineAuditAction(
      'LOW',
      'QRCODE',
      'A browser was marked as the owner’s with a test link.',
    ),
    MEMORY_TAG_EXPORTED: defineAuditAction('LOW', 'MEMORY_TAG', 'A memory tag was exported as an archive.'),
  },
});
