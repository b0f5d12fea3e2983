import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';

export interface GuideChecks {
  facts?: readonly string[];
  check?(t: Test, folder: string): Promise<void>;
}

/** Checks by path of the guide. Guides without an entry run too. */
export const GUIDES: Record<string, GuideChecks> = {
  'README.md': {
    facts: ['"kind":"PET"', '"scanToken":"', '"class":"HUMAN"'],
  },
  'docs/guides/getting-started.md': {
    facts: [
      '"status":"PENDING_VERIFICATION"',
      '"accessToken":"',
      '"status":"ACTIVE"',
      '"kind":"PET"',
      '"scanToken":"',
      '"city":"Berlin"',
      '<h1>Rex</h1>',
      '"class":"HUMAN"',
      '"event":"scan.created"',
      '"event":"message.created"',
    ],
    async check(t, folder) {
      const png = await readFile(join(folder, 'rex.png'));
      t.equal(png.subarray(1, 4).toString(), 'PNG');
    },
  },
  'docs/guides/memory-tags.md': {
    facts: ['<h1>Erna Brandt</h1>', '"caption":"In the garden","position":1', '"status":"APPROVED"'],
    async check(t, folder) {
      const avif = await readFile(join(folder, 'garden.avif'));
      t.equal(avif.subarray(4, 12).toString(), 'ftypavif');
      const zip = await readFile(join(folder, 'erna.zip'));
      t.ok(
        zip.includes('pictures/001.jpg') || zip.includes('pictures/001.png'),
        'the archive has the picture',
      );
    },
  },
  'docs/guides/api-keys.md': {
    facts: ['"prefix":"qrps_live_', '"kind":"LUGGAGE"', '"code":"SCOPE_REQUIRED"', '"status":"REVOKED"'],
  },
  'docs/guides/codes.md': {
    facts: ['"counts":{"created":1,"updated":0,"unchanged":0,"failed":1}', '3,data.name,REQUIRED'],
  },
  'docs/guides/documents.md': {
    facts: ['"title":"Passport"', '"number":2'],
  },
  'docs/guides/webhooks.md': {
    facts: ['"type":"webhook_endpoint.test"', '"status":"DELIVERED"', '"enabled":true', '"nextFrom":null'],
  },
  'docs/guides/billing.md': {
    facts: [
      '"code":"PERSONAL","name":"Personal"},"status":"ACTIVE"',
      '"status":"PAID","currency":"EUR","total":300',
      '"cancelAtPeriodEnd":true',
      '"perPeriod":600',
      '"code":"FAMILY","name":"Family"},"status":"ACTIVE"',
      'Compared 1 subscription and 2 invoices: 0 differences',
    ],
  },
};
