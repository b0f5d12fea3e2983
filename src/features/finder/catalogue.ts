import { defineAction, defineCatalogue } from '../../shared/catalogue.ts';

export const finderCatalogue = defineCatalogue({
  auditActions: {
    QRCODE_TEST_LINK_USED: defineAction('LOW', 'QRCODE', 'A phone was marked as its owner’s by a test link.'),
    MEMORY_TAG_EXPORTED: defineAction('LOW', 'MEMORY_TAG', 'A memory tag was taken along as an archive.'),
  },
});
