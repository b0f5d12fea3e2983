import { defineAction, defineCatalogue } from '../../shared/catalogue.ts';

export const finderCatalogue = defineCatalogue({
  auditActions: {
    QRCODE_TEST_LINK_USED: defineAction(
      'LOW',
      'QRCODE',
      'A browser was marked as the owner’s by a test link.',
    ),
    MEMORY_TAG_EXPORTED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was exported as an archive.'),
  },
});
