import {
  createDownloadTicket,
  isDownloadTicketValid,
} from '../../../../src/features/documents/shares/download-ticket.ts';
import {
  findShareInputErrors,
  getShareState,
} from '../../../../src/features/documents/shares/share.rules.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../../src/shared/lifetimes.ts';
import { createHashCipher } from '../../../hash-cipher.ts';
import { t } from '../../../tap.ts';

const now = new Date();
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);

const SHARE = {
  passcodeHash: null,
  maxViews: null,
  views: 7,
  expiresAt: null,
  endedAt: null,
  createdAt: now,
  requiresStrictSharing: false,
};

t.test('a link is open until it ends, expires or is used up', async (t) => {
  const stateOf = (change: object) => getShareState({ ...SHARE, ...change }, now);
  t.equal(stateOf({}), 'ACTIVE');
  t.equal(stateOf({ endedAt: after(-1) }), 'ENDED');
  t.equal(stateOf({ expiresAt: after(1) }), 'ACTIVE');
  t.equal(stateOf({ expiresAt: now }), 'EXPIRED');
  t.equal(stateOf({ maxViews: 8 }), 'ACTIVE');
  t.equal(stateOf({ maxViews: 7 }), 'USED_UP');
});

t.test('a link to a health document of an enterprise account has a passcode and a short life', async (t) => {
  const maxSeconds = LIFETIMES_SECONDS.enterpriseHealthShare;
  const strict = { requiresStrictSharing: true, passcodeHash: 'hash', expiresAt: after(maxSeconds) };
  const stateOf = (change: object) => getShareState({ ...SHARE, ...strict, ...change }, now);
  t.equal(stateOf({}), 'ACTIVE');
  t.equal(stateOf({ passcodeHash: null }), 'NOT_ALLOWED');
  t.equal(stateOf({ expiresAt: null }), 'NOT_ALLOWED');
  t.equal(stateOf({ expiresAt: after(maxSeconds + 60) }), 'NOT_ALLOWED');

  const codesOf = (input: object, isStrict = true) =>
    findShareInputErrors(input, isStrict, now).map(({ field, code }) => `${field} ${code}`);
  t.same(codesOf({ passcode: '4711', expiresInSeconds: maxSeconds }), []);
  t.same(codesOf({}), ['passcode REQUIRED', 'expiresInSeconds REQUIRED']);
  t.same(codesOf({ passcode: '4711', expiresInSeconds: maxSeconds + 1 }), ['expiresInSeconds TOO_LARGE']);
  t.same(codesOf({}, false), []);
  t.same(codesOf({ passcode: '471 ' }, false), ['passcode TOO_SHORT']);
  t.same(codesOf({ expiresAt: now.toISOString() }, false), ['expiresAt IN_THE_PAST']);
});

t.test('a ticket for a download is of one access, is signed, and ends with its link', async (t) => {
  const fieldCipher = createHashCipher();
  const access = { id: generateId(), shareId: generateId(), versionNumber: 2, readAt: now, expiresAt: null };
  const ticket = createDownloadTicket(fieldCipher, access);
  const isValid = (text: string, change: object = {}, at = now) =>
    isDownloadTicketValid(fieldCipher, text, { ...access, ...change }, at);
  t.equal(isValid(ticket), true);
  t.equal(isValid(ticket, {}, after(LIFETIMES_SECONDS.documentTicket - 1)), true);
  t.equal(isValid(ticket, {}, after(LIFETIMES_SECONDS.documentTicket)), false, 'expired');
  for (const change of [{ id: generateId() }, { shareId: generateId() }, { versionNumber: 3 }])
    t.equal(isValid(ticket, change), false, JSON.stringify(change));
  for (const wrong of ['', access.id, `${ticket}x`]) t.equal(isValid(wrong), false, wrong);
  const short = { expiresAt: after(60) };
  const ended = createDownloadTicket(fieldCipher, { ...access, ...short });
  t.equal(isValid(ended, short), true);
  t.equal(isValid(ended, short, after(60)), false, 'the link expired');
});
