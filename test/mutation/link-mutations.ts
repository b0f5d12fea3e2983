import type { Mutation } from '../../scripts/testing/mutation.ts';

const SIGN_IN_TESTS = 'test/features/identity/sign-in';

/** Links, tickets, cookies and codes that stand in for a log-in, and what belongs to whom. */
export const LINK_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'a form of one purpose serves no other',
    file: 'src/features/finder/form-token.ts',
    find: '    purpose,\n',
    replace: "    purpose: 'form',\n",
    tests: ['test/features/finder/form-token.test.ts'],
  },
  {
    guard: 'a form of one code serves no other',
    file: 'src/features/finder/form-token.ts',
    find: 'parts: { subjectId: CONTEXT, id: isId }',
    replace: 'parts: { id: isId }',
    tests: ['test/features/finder/form-token.test.ts'],
  },
  {
    guard: 'an owner link is signed',
    file: 'src/features/finder/owner-links/owner-link-access.ts',
    find: 'if (!ownerLinkToken.verify(fieldCipher, token, { userId, accessEpoch })) return null;',
    replace: '',
    tests: [
      'test/features/finder/owner-links.test.ts#forged, altered, foreign and expired links are refused',
    ],
  },
  {
    guard: 'the end of all sessions ends owner links',
    file: 'src/features/notifications/owner-link.ts',
    find: ', accessEpoch: CONTEXT }',
    replace: ' }',
    tests: [
      'test/features/finder/owner-links.test.ts#a link ends with the sessions of its owner, and rests while they are suspended',
    ],
  },
  {
    guard: 'an owner link does not skip a second factor or enterprise mode',
    file: 'src/features/finder/owner-links/owner-link-access.ts',
    find: 'const mustLogIn = (await findLinkAccessEpoch(client, userId, isEnterpriseEnforced)) !== accessEpoch;',
    replace: 'const mustLogIn = (await findLinkAccessEpoch(client, userId, isEnterpriseEnforced)) === -1;',
    tests: [
      'test/features/finder/owner-links.test.ts#an owner in enterprise mode or with a second factor has to log in',
    ],
  },
  {
    guard: 'an owner link of a suspended user shows nothing',
    file: 'src/features/finder/owner-links/owner-link-access.ts',
    find: " || owner.status === 'SUSPENDED') return null;",
    replace: ') return null;',
    tests: [
      'test/features/finder/owner-links.test.ts#a link ends with the sessions of its owner, and rests while they are suspended',
    ],
  },
  {
    guard: 'the cookie of an owner link is of its page',
    file: 'src/features/finder/owner-links/owner-link.routes.ts',
    find: 'token?.startsWith(`${link}.`) ? token : null',
    replace: 'token',
    tests: [
      'test/features/finder/owner-links.test.ts#forged, altered, foreign and expired links are refused',
    ],
  },
  {
    guard: 'a lost code is not paused by an owner link',
    file: 'src/features/codes/change-status.ts',
    find: "return getCurrentQrCodeStatus(row) === 'ACTIVE' ? { status: 'PAUSED' } : null;",
    replace: "return { status: 'PAUSED' };",
    tests: [
      'test/features/finder/owner-links.test.ts#a paused lost code stays paused when it is found, and a lost one is not paused',
    ],
  },
  {
    guard: 'pictures behind a PIN need a ticket',
    file: 'src/features/finder/gallery.ts',
    find: 'hasPin && isValidPictureTicket(services.fieldCipher, code, ticket)',
    replace: 'hasPin',
    tests: [
      'test/features/finder/gallery-pages.test.ts#pictures behind a PIN are shown after it is entered, until the code changes',
    ],
  },
  {
    guard: 'a change of the code ends tickets for pictures',
    file: 'src/features/codes/visible-pictures.ts',
    find: 'parts: { id: CONTEXT, version: CONTEXT }',
    replace: 'parts: { id: CONTEXT }',
    tests: [
      'test/features/finder/gallery-pages.test.ts#pictures behind a PIN are shown after it is entered, until the code changes',
    ],
  },
  {
    guard: 'the cookie of a phone of an owner is signed',
    file: 'src/features/finder/cookies.ts',
    find: 'return ownerPhoneToken.verify(fieldCipher, token, { accessEpoch })?.ownerId ?? null;',
    replace: 'return parsed?.ownerId ?? null;',
    tests: ['test/features/finder/form-token.test.ts'],
  },
  {
    guard: 'an offered document needs the PIN of its code',
    file: 'src/features/finder/offered-documents.ts',
    find: 'scan?.qrCodeId === codeId && (code.pinHash === null || isScanUnlocked(scan, code));',
    replace: 'scan?.qrCodeId === codeId;',
    tests: [
      'test/features/finder/share-pages.test.ts#the page of a code offers the documents shared through it',
    ],
  },
  {
    guard: 'an offered document is of the code',
    file: 'src/features/finder/offered-documents.ts',
    find: "if (!isVisible || share?.qrCodeId !== codeId) throw new ServiceError('NOT_FOUND');",
    replace: "if (!isVisible || !share) throw new ServiceError('NOT_FOUND');",
    tests: [
      'test/features/finder/share-pages.test.ts#the page of a code offers the documents shared through it',
    ],
  },
  {
    guard: 'an entry of a guest book is withdrawn by its author',
    file: 'src/features/memory-tags/withdraw-entry.ts',
    find: 'withdrawalToken.verify(fieldCipher, token, {})',
    replace: 'withdrawalToken.parse(token)',
    tests: [
      'test/features/memory-tags/guest-book.test.ts#lets an author withdraw an entry by a link before and after approval',
    ],
  },
  {
    guard: 'an entry is decided in its own guest book',
    file: 'src/features/memory-tags/guest-book.repository.ts',
    find: 'guestBookEntry.deleteMany({ where: { id, memoryTagId } })',
    replace: 'guestBookEntry.deleteMany({ where: { id } })',
    tests: ['test/features/memory-tags/access-repositories.test.ts'],
  },
  {
    guard: 'a caretaker is removed from their memory tag only',
    file: 'src/features/memory-tags/caretaker.repository.ts',
    find: 'deleteMany({ where: { id, memoryTagId } })).count',
    replace: 'deleteMany({ where: { id } })).count',
    tests: ['test/features/memory-tags/access-repositories.test.ts'],
  },
  {
    guard: 'a picture is of its gallery',
    file: 'src/features/files/pictures/gallery.repository.ts',
    find: 'picture.findFirst({ where: { ...gallery, id } })',
    replace: 'picture.findFirst({ where: { id } })',
    tests: ['test/features/memory-tags/access-repositories.test.ts'],
  },
  {
    guard: 'the address of a finder is confirmed by its link',
    file: 'src/features/conversations/finder-email-confirmation.ts',
    find: 'email && confirmationToken.verify(fieldCipher, token, { email }) ? row : null',
    replace: 'email ? row : null',
    tests: [
      'test/features/conversations/reply-mails.test.ts#confirms an address by a button, not by opening the link',
    ],
  },
  {
    guard: 'an expired conversation is not found',
    file: 'src/features/conversations/conversation.repository.ts',
    find: 'where: { id, expiresAt: { gt: new Date() } },\n    include: QR_CODE_INCLUDE,',
    replace: 'where: { id },\n    include: QR_CODE_INCLUDE,',
    tests: [
      'test/features/conversations/conversations.test.ts#deletes a conversation with its messages 90 days after the last one',
    ],
  },
  {
    guard: 'a message is of its conversation',
    file: 'src/features/conversations/message.repository.ts',
    find: 'conversationMessage.findFirst({ where: { id, conversationId } })',
    replace: 'conversationMessage.findFirst({ where: { id } })',
    tests: ['test/features/realtime/realtime.test.ts'],
  },
  {
    guard: 'only the owner reports as the owner',
    file: 'src/features/conversations/report.routes.ts',
    find: "if (found?.ownerId !== requireAuthenticatedUser(request).id) throw new ServiceError('NOT_FOUND');",
    replace: '',
    tests: ['test/features/conversations/reports.test.ts'],
  },
  {
    guard: 'statistics are of own codes',
    file: 'src/features/scans/statistics/statistics.routes.ts',
    find: "if (!(await isOwnQrCode(database.client, user.id, id))) throw new ServiceError('NOT_FOUND');",
    replace: '',
    tests: [
      'test/features/scans/statistics/statistics.test.ts#statistics are available to the owner only, and invalid parameters are named',
    ],
  },
  {
    guard: 'a code of a provider works for its browser',
    file: 'src/features/identity/sign-in/sign-in-with-provider.ts',
    find: 'codeVerifier === undefined && isSignInCodeCookieValid(fieldCipher, code, cookie)',
    replace: 'codeVerifier === undefined',
    tests: [`${SIGN_IN_TESTS}/sign-in-refusals.test.ts#a code issued to another browser is rejected`],
  },
  {
    guard: 'a code of a provider needs its verifier',
    file: 'src/features/identity/sign-in/sign-in-with-provider.ts',
    find: "timingSafeEquals(hashSignInProof(codeVerifier).toString('base64url'), codeChallenge)",
    replace: 'codeChallenge.length > 0',
    tests: [
      `${SIGN_IN_TESTS}/sign-in-refusals.test.ts#a client of another origin binds the sign-in with its own challenge`,
    ],
  },
  {
    guard: 'an ID token works once',
    file: 'src/features/identity/sign-in/sign-in-with-provider.ts',
    find: "if (!(await consumeSignInProof(services.database.client, proof)))\n      throw new ServiceError('SIGN_IN_INVALID');",
    replace: 'void proof;',
    tests: [
      `${SIGN_IN_TESTS}/token-sign-in.test.ts#only one of 20 parallel native sign-ins with one ID token works`,
    ],
  },
  {
    guard: 'a user removes only own identities',
    file: 'src/features/identity/sign-in/identity.repository.ts',
    find: 'findFirst({ where: { id, userId, ...CONFIRMED } })',
    replace: 'findFirst({ where: { id, ...CONFIRMED } })',
    tests: ['test/features/identity/access-repositories.test.ts'],
  },
  {
    guard: 'the last sign-in method stays',
    file: 'src/features/identity/sign-in/identities.routes.ts',
    find: "if (!(await hasOtherSignInMethod(tx, identity, issuer)))\n          throw new ServiceError('LAST_SIGN_IN_METHOD');",
    replace: 'void [hasOtherSignInMethod, issuer];',
    tests: [
      `${SIGN_IN_TESTS}/identities.test.ts#the last sign-in method of an account without a password cannot be removed`,
    ],
  },
  {
    guard: 'an identity signs in after its first complete log-in',
    file: 'src/features/identity/sign-in/identity.repository.ts',
    find: 'where: { issuer, subject, ...CONFIRMED },',
    replace: 'where: { issuer, subject },',
    tests: [
      `${SIGN_IN_TESTS}/second-factor.test.ts#an identity whose login was not completed gives no access without a second factor`,
    ],
  },
  {
    guard: 'a sensitive change needs a recent log-in',
    file: 'src/features/identity/accounts/require-recent-login.ts',
    find: "if (!(await isRecentSession(db, user.sessionId))) throw new ServiceError('REAUTHENTICATION_REQUIRED');",
    replace: 'void [db, user, isRecentSession];',
    tests: [
      `${SIGN_IN_TESTS}/identities.test.ts#removing an identity requires a login within the last ten minutes`,
    ],
  },
  {
    guard: 'a suspended user completes no second step',
    file: 'src/features/identity/second-factor/verify-second-factor.ts',
    find: "if (user.status === 'SUSPENDED')\n        return recordSecondFactorFailure(tx, context, 'ACCOUNT_SUSPENDED', user.id);",
    replace: '',
    tests: [
      'test/features/identity/second-factor/verify.test.ts#a suspended user cannot complete the second step',
    ],
  },
  {
    guard: 'a mailed link does not skip a second factor',
    file: 'src/features/identity/accounts/link-access.repository.ts',
    find: '\n      AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL)`',
    replace: '`',
    tests: ['test/features/finder/conversation-pages.test.ts'],
  },
  {
    guard: 'a mailed link does not let a suspended user in',
    file: 'src/features/identity/accounts/link-access.repository.ts',
    find: "WHERE id = ${userId} AND status IN ('VERIFIED', 'ACTIVE')",
    replace: 'WHERE id = ${userId}',
    tests: ['test/features/finder/conversation-pages.test.ts'],
  },
  {
    guard: 'a mailed link to a report is signed',
    file: 'src/features/scans/reports/report.routes.ts',
    find: 'accessEpoch !== null && reportToken.verify(fieldCipher, token, { accessEpoch })',
    replace: 'accessEpoch !== null',
    tests: [
      'test/features/scans/reports/schedule/report-schedule.test.ts#the link shows the report without a login, for a week, as HTML and PDF',
    ],
  },
  {
    guard: 'a mailed link to a report ends with the sessions of its user',
    file: 'src/features/scans/reports/schedule/report-link.ts',
    find: '    accessEpoch: CONTEXT,\n',
    replace: '',
    tests: [
      'test/features/scans/reports/schedule/report-schedule.test.ts#the link shows the report without a login, for a week, as HTML and PDF',
    ],
  },
  {
    guard: 'a report is scheduled for own codes only',
    file: 'src/features/scans/reports/schedule/report-schedule.routes.ts',
    find: 'qrCodeId !== null && !(await findOwnQrCode(tx, userId, qrCodeId))',
    replace: 'qrCodeId !== null && (await findOwnQrCode(tx, userId, qrCodeId)) === undefined',
    tests: [
      'test/features/scans/reports/schedule/report-schedule.test.ts#rejects codes of others, deleted codes and wrong values',
    ],
  },
  {
    guard: 'one worker sends a report',
    file: 'src/features/scans/reports/schedule/report-schedule.repository.ts',
    find: '  return count === 1;\n}\n',
    replace: '  return count < 9;\n}\n',
    tests: [
      'test/features/scans/reports/schedule/report-schedule.test.ts#workers that run at once send a report once, with its numbers and a link',
    ],
  },
  {
    guard: 'no report is sent to a suspended account',
    file: 'src/features/scans/reports/schedule/report-schedule.repository.ts',
    find: "users.status IN ('VERIFIED', 'ACTIVE') AND code.status",
    replace: 'code.status',
    tests: [
      'test/features/scans/reports/schedule/report-schedule.test.ts#sends nothing for a suspended account or a deleted code',
    ],
  },
  {
    guard: 'a mailed code expires',
    file: 'src/features/identity/accounts/registration.repository.ts',
    find: 'WHERE user_id = ${userId} AND expires_at > now()\n',
    replace: 'WHERE user_id = ${userId}\n',
    tests: [
      'test/features/identity/accounts/verify-otp.test.ts#an expired, a replaced and a foreign OTP give the same 400',
      'test/features/identity/accounts/verify-otp.test.ts#an OTP is stored as a keyed hash, expires after ten minutes; a server error uses up no attempt',
    ],
  },
  {
    guard: 'a token is of this issuer',
    file: 'src/platform/access-token.ts',
    find: '      allowedIss: ISSUER,\n',
    replace: '',
    tests: ['test/platform/authentication.test.ts#a token with a wrong signature, purpose or time is 401'],
  },
  {
    guard: 'a token is for this service',
    file: 'src/platform/access-token.ts',
    find: '      allowedAud: AUDIENCE,\n',
    replace: '',
    tests: ['test/platform/authentication.test.ts#a token with a wrong signature, purpose or time is 401'],
  },
  {
    guard: 'a token has all claims',
    file: 'src/platform/access-token.ts',
    find: "      requiredClaims: ['iss', 'aud', 'exp', 'sid'],\n",
    replace: '',
    tests: ['test/platform/authentication.test.ts#a token with a wrong signature, purpose or time is 401'],
  },
];
