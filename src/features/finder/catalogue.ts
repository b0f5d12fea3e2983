import { defineAuditAction, defineCatalogue } from '../../shared/catalogue.ts';

export const finderCatalogue = defineCatalogue({
  auditActions: {
    QRCODE_TEST_LINK_USED: defineAuditAction(
      'LOW',
      'QRCODE',
      'A browser was marked as the owner’s with a test link.',
    ),
    MEMORY_TAG_EXPORTED: defineAuditAction('LOW', 'MEMORY_TAG', 'A memory tag was exported as an archive.'),
  },
});
