import { deriveScanToken, isValidScanToken } from '../../../src/features/scans/scan-token.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../src/shared/lifetimes.ts';
import { createHashCipher } from '../../hash-cipher.ts';
import { t } from '../../tap.ts';

const fieldCipher = createHashCipher();

const createScan = (ageSeconds: number) => ({
  id: generateId(),
  scannedAt: new Date(Date.now() - ageSeconds * 1000),
});

t.test('a scan token is of one scan, is signed, and expires', async (t) => {
  const isValid = (scan: ReturnType<typeof createScan>, token: string | string[] | undefined) =>
    isValidScanToken(fieldCipher, scan, token);
  const scan = createScan(LIFETIMES_SECONDS.scanToken - 60);
  const token = deriveScanToken(fieldCipher, scan);
  t.equal(isValid(scan, token), true);
  const expired = createScan(LIFETIMES_SECONDS.scanToken + 60);
  t.equal(isValid(expired, deriveScanToken(fieldCipher, expired)), false, 'expired');
  t.equal(isValid(scan, deriveScanToken(fieldCipher, createScan(0))), false, 'of another scan');
  t.equal(isValid(scan, deriveScanToken(createHashCipher('other'), scan)), false, 'of another service');
  for (const wrong of [undefined, '', `${token}x`, token.slice(1), [token]])
    t.equal(isValid(scan, wrong), false, String(wrong));
});
