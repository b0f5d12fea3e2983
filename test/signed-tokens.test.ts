import { getOwnerPreviewUrl } from '../src/features/codes/owner-preview-url.ts';
import { createConversationToken } from '../src/features/conversations/conversation-token.ts';
import { confirmationToken } from '../src/features/conversations/finder-email-confirmation.ts';
import { createDownloadTicket } from '../src/features/documents/shares/download-ticket.ts';
import { createShareLinkCookie } from '../src/features/documents/shares/share-link-cookie.ts';
import { createVisitFormToken } from '../src/features/finder/form-token.ts';
import { createOwnerPhoneCookie, unlistedPhoneToken } from '../src/features/finder/owner-phone-cookie.ts';
import { deriveLoginThrottleKeys } from '../src/features/identity/accounts/device-token.ts';
import { createSuppressionUrl } from '../src/features/mail/suppression-token.ts';
import {
  createMailUnsubscribeUrl,
  verifyMailUnsubscribeToken,
} from '../src/features/mail/unsubscribe-token.ts';
import { createGuestBookWithdrawalToken } from '../src/features/memory-tags/withdraw-entry.use-case.ts';
import { ownerLinkToken } from '../src/features/notifications/owner-link.ts';
import { createReportUrl } from '../src/features/scans/reports/schedule/report-link.ts';
import { deriveScanToken } from '../src/features/scans/scan-token.ts';
import { createHashCipher } from './hash-cipher.ts';
import { t } from './tap.ts';

const AT = Date.UTC(2026, 10, 1, 12);
const fieldCipher = createHashCipher('golden');
const services = { fieldCipher, publicBaseUrl: 'https://qr.example.org' };
const id = (digit: string) => digit.repeat(24);
const owner = { userId: id('b'), accessEpoch: 3 };

function runAtFixedTime<Result>(work: () => Result): Result {
  const { now } = Date;
  Date.now = () => AT;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}

t.test('tokens in mails, cookies and clients of earlier versions stay valid', async (t) => {
  const report = { accountId: id('b'), frequency: 'WEEKLY', to: '2026-11-01', qrCodeId: id('c') } as const;
  const access = { id: id('2'), shareId: id('1'), versionNumber: 2, readAt: new Date(AT), expiresAt: null };
  const created = runAtFixedTime(() => [
    ownerLinkToken.create(fieldCipher, { notificationId: id('a'), ...owner }),
    unlistedPhoneToken.create(fieldCipher, { accountId: id('b'), accessEpoch: 3 }),
    createOwnerPhoneCookie(
      fieldCipher,
      { accountId: id('b'), phoneId: id('9') },
      { path: '/s', secure: false },
    ).split(';')[0],
    createReportUrl(services, report, 3, new Date(AT)),
    createReportUrl(services, { ...report, frequency: 'MONTHLY', qrCodeId: null }, 3, new Date(AT)),
    deriveScanToken(fieldCipher, { id: id('d'), scannedAt: new Date(AT) }),
    createConversationToken(fieldCipher, id('e'), 'FINDER'),
    createConversationToken(fieldCipher, id('e'), { ownerEpoch: 3 }),
    confirmationToken.create(fieldCipher, { conversationId: id('e'), email: 'finder@example.org' }),
    createMailUnsubscribeUrl(services, { subjectId: id('b'), mailKind: 'QR_CODE_SCANNED' }),
    createSuppressionUrl(services, Buffer.alloc(32, 7)),
    createGuestBookWithdrawalToken(fieldCipher, id('f')),
    getOwnerPreviewUrl(services, id('c'), 'en'),
    createVisitFormToken(fieldCipher, id('c'), id('d')),
    createShareLinkCookie(fieldCipher, id('1'), { by: 'link' }),
    createDownloadTicket(fieldCipher, access),
  ]);
  t.same(created, [
    'aaaaaaaaaaaaaaaaaaaaaaaa.1794139200.SbGnV1MlxEKKHts23qoBhtDAF3xJlTwkJnQiOZj0Fu0',
    'bbbbbbbbbbbbbbbbbbbbbbbb.1809086400.PhSElia-R4GdoA-9Bk8lIBbYK9OyagQ9-kv-OT1JkIg',
    'own-phone=bbbbbbbbbbbbbbbbbbbbbbbb.999999999999999999999999.1809086400.hBhy1E3AcQxSYroSS4Dmbk6Y0xrVx2aCDxtUMzn06ZE',
    'https://qr.example.org/api/scans/report/bbbbbbbbbbbbbbbbbbbbbbbb.WEEKLY.2026-11-01.cccccccccccccccccccccccc.1794139200.ir8L_Fe5zJ4eF7vxmbcM0qvBH5Wni_hXvPnmD4kmoIE',
    'https://qr.example.org/api/scans/report/bbbbbbbbbbbbbbbbbbbbbbbb.MONTHLY.2026-11-01..1794139200.OxlycMdlM4dI_VdliXW0KhXXR4htquP6WAqtkrOfjjI',
    'OLFAyF9enB28HVflF31xrC0riw4EY_Lorsr-um9qcvA',
    'eeeeeeeeeeeeeeeeeeeeeeee.l9BXdBbCCDopzGk2Qk-cUtm_2AtJMF_-qa1cMApg29I',
    'eeeeeeeeeeeeeeeeeeeeeeee.51nk2tZAi3tPb0M4_RtZGYYzda3WqcLSxTAmvWmMJx4',
    'eeeeeeeeeeeeeeeeeeeeeeee.Y8d0b_FY0XPp-KhfQ-JJ6b6KF5ZR4QDzreN8f0a_Z1E',
    'https://qr.example.org/api/notifications/unsubscribe/bbbbbbbbbbbbbbbbbbbbbbbb.QR_CODE_SCANNED.aaqXZDBJwTgGXh0TLTR7h6J_eZXn2zh5UP8LUCDbvt8',
    'https://qr.example.org/api/mails/suppress/BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc.8KhiakE6B1RYJuhHAXWiTFwWEVXzqtAf77siNlTNZx0',
    'ffffffffffffffffffffffff.uAgUSlfo6ElK74VQ64JqEGm1epPJmk5Q6Mb0Z8i6zTM',
    'https://qr.example.org/s/cccccccccccccccccccccccc?lang=en&look=_jjm97iW7WVk22Nurs3z4zEsVrHKphMlDhGS2I6pvzw',
    'dddddddddddddddddddddddd.1793541600.cp6BlxWBz1p6oy3FfSoiBWVXPYr9PELXmqPCd9yGh4Q',
    'link.1793620800.4gsSYZHz9rRPNdLUXqFj6VH9SW9aX9OqfSiwen8MxpA',
    '222222222222222222222222.0pJwxp7yaeXHlyKE0nfqJ2Nifrgipsk7V8XObAXD0LI',
  ]);

  const unsubscribeToken = created[9]?.split('/').at(-1) ?? '';
  t.same(
    verifyMailUnsubscribeToken(fieldCipher, unsubscribeToken),
    { subjectId: id('b'), mailKind: 'scan.created' },
    'an event that had another name',
  );

  const deviceToken = '9o3LxdinawdJX4J2KcVy4Q.1809086400.92eNOX7JyY4OnJZV5OuCSDC0XP1SpXrx2YeY-nFOzeg';
  const client = { address: '203.0.113.7', deviceToken };
  const keys = runAtFixedTime(() =>
    deriveLoginThrottleKeys(fieldCipher, 'ada@example.org', { id: id('b'), accessEpoch: 3 }, client),
  );
  t.equal(keys.isKnownDevice, true);
});
