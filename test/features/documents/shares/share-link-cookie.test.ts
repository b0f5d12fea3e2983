import { createHmac } from 'node:crypto';
import {
  createShareLinkCookie,
  getShareLinkCookieMaxAgeSeconds,
  isShareLinkCookieValid,
  type ShareOrigin,
} from '../../../../src/features/documents/shares/share-link-cookie.ts';
import { t } from '../../../tap.ts';

const fieldCipher = {
  hash: (...parts: string[]) => createHmac('sha256', 'key').update(parts.join('\0')).digest(),
} as never;

t.test('ends with its lifetime, also where the browser keeps it', async (t) => {
  const now = Date.now();
  const origins: ShareOrigin[] = [{ by: 'link' }, { by: 'code', codeId: 'code', version: 3 }];
  for (const origin of origins) {
    const cookie = createShareLinkCookie(fieldCipher, 'share', origin);
    const isValidAfter = (seconds: number) => {
      const { now: realNow } = Date;
      Date.now = () => now + seconds * 1000;
      try {
        return isShareLinkCookieValid(fieldCipher, cookie, 'share', origin);
      } finally {
        Date.now = realNow;
      }
    };
    const lifetime = getShareLinkCookieMaxAgeSeconds(origin);
    t.equal(isValidAfter(0), true, origin.by);
    t.equal(isValidAfter(lifetime - 60), true, origin.by);
    t.equal(isValidAfter(lifetime + 60), false, origin.by);
    const later = cookie.replace(/\.\d+\./, (expiry) => `.${Number(expiry.slice(1, -1)) + 3_600}.`);
    t.equal(isShareLinkCookieValid(fieldCipher, later, 'share', origin), false, 'a later end is signed, too');
  }
});
