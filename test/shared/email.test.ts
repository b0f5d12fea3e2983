import { normalizeEmail } from '../../src/shared/email.ts';
import { t } from '../tap.ts';

t.test('an address that is not ASCII before the @ is refused before it is normalized', async (t) => {
  for (const address of [
    '\u212aate@example.org',
    '\u212a@example.org',
    '\uff4bate@example.org',
    'k\u0131te@example.org',
    'mar\u017fha@example.org',
    'j\u00f6rg@example.org',
    'ka\u200bte@example.org',
    '\u00a0kate@example.org',
    '\ufeffkate@example.org',
  ])
    t.equal(normalizeEmail(address), null, JSON.stringify(address));
  t.equal(normalizeEmail(' Kate@Example.org '), 'kate@example.org');
});
