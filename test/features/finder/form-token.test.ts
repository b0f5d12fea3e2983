import {
  createConversationFormToken,
  createShareFormToken,
  createVisitFormToken,
  isConversationFormTokenValid,
  verifyScanFormToken,
  verifyShareFormToken,
  verifyVisitFormToken,
} from '../../../src/features/finder/form-token.ts';
import { unlistedPhoneToken, verifyUnlistedPhone } from '../../../src/features/finder/owner-phone-cookie.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../src/shared/lifetimes.ts';
import { createHashCipher, runAfter } from '../../hash-cipher.ts';
import { t } from '../../tap.ts';

const fieldCipher = createHashCipher();

t.test('a form token is of one code and one purpose, is signed, and expires', async (t) => {
  const [code, other, id] = [generateId(), generateId(), generateId()];
  const token = createVisitFormToken(fieldCipher, code, id);
  t.equal(verifyScanFormToken(fieldCipher, code, token), id);
  t.equal(verifyScanFormToken(fieldCipher, other, token), null, 'of another code');
  t.equal(verifyShareFormToken(fieldCipher, code, token), null, 'of another purpose');
  t.equal(verifyShareFormToken(fieldCipher, code, createShareFormToken(fieldCipher, code, id)), id);
  const closed = createVisitFormToken(fieldCipher, code, id, false);
  t.match(verifyVisitFormToken(fieldCipher, code, closed), { id, isScan: false });
  t.equal(verifyScanFormToken(fieldCipher, code, closed), null, 'of no scan');

  const lifetime = LIFETIMES_SECONDS.finderForm;
  const verifyAfter = (seconds: number, text: string) =>
    runAfter(seconds, () => verifyScanFormToken(fieldCipher, code, text));
  t.equal(verifyAfter(lifetime - 60, token), id);
  t.equal(verifyAfter(lifetime + 60, token), null, 'expired');
  const later = token.replace(/\.\d+\./, (expiry) => `.${Number(expiry.slice(1, -1)) + 3_600}.`);
  for (const wrong of [later, `${token}x`, token.slice(0, -43), `${generateId()}${token.slice(24)}`, ''])
    t.equal(verifyScanFormToken(fieldCipher, code, wrong), null, wrong);
});

t.test('a form token of a conversation is of one side', async (t) => {
  const row = { id: generateId(), qrCodeId: generateId() };
  const token = createConversationFormToken(fieldCipher, { row, side: 'FINDER' });
  t.equal(isConversationFormTokenValid(fieldCipher, { row, side: 'FINDER' }, token), true);
  t.equal(isConversationFormTokenValid(fieldCipher, { row, side: 'OWNER' }, token), false);
  const another = { ...row, id: generateId() };
  t.equal(isConversationFormTokenValid(fieldCipher, { row: another, side: 'FINDER' }, token), false);
});

t.test('the token of a phone that has no row is signed, expires, and ends with their sessions', async (t) => {
  const owner = generateId();
  const cookie = unlistedPhoneToken.create(fieldCipher, { accountId: owner, accessEpoch: 3 });
  const readAfter = (seconds: number, token: string, epoch: number | null = 3) =>
    runAfter(seconds, () => verifyUnlistedPhone(fieldCipher, token, async () => epoch));
  t.equal(await readAfter(0, cookie), owner);
  t.equal(await readAfter(LIFETIMES_SECONDS.ownerPhone + 60, cookie), null, 'expired');
  t.equal(await readAfter(0, cookie.replace(owner, generateId())), null, 'of another owner');
  t.equal(await readAfter(0, `${cookie}x`), null);
  t.equal(await readAfter(0, cookie, 4), null, 'all sessions were ended');
  t.equal(await readAfter(0, cookie, null), null, 'the user is gone');
});
