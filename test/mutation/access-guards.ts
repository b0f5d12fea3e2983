import type { GuardList } from '../../scripts/mutation/guards.ts';

/** Who may read and change what, and what a token, a code or a link opens. */
export const ACCESS_GUARDS: GuardList = {
  'test/features/moderation/takedown.test.ts': {
    'a code that is taken down is withheld from finders, and no scan of it is stored':
      'PUBLIC_QR_CODE_STATUS_SQL without taken_down_at',
    'the image of a code that is taken down is withheld': 'isQrCodeImageWithheld without taken_down_at',
    'documents of a code that is taken down are withheld':
      'findSharedDocumentByTokenHash without taken_down_at',
    'a download ticket ends when the code is taken down': 'findShareAccess without takenDownAt',
  },
  'test/shared/crypto/signed-token.test.ts': {
    'a signed token is verified': 'defineSignedToken without isSigned',
    'a signed token expires': 'isExpired returns false',
  },
  'test/features/moderation/reports.test.ts': {
    'a code that is withheld cannot be reported': 'reportQrCode without assertQrCodeNotWithheld',
    'reports are limited by network': 'reportQrCode without consumeAttempts',
  },
  'test/features/moderation/appeals.test.ts': {
    'only the owner of a code appeals': 'submitAppeal without findOwnQrCode',
    'an appeal is decided once': 'decideAppeal without decision',
  },
  'test/platform/authentication.test.ts': {
    'a route for users needs a credential': 'enforceAccess without UNAUTHENTICATED',
    'a route needs its permission': 'findAccessRefusal without FORBIDDEN',
    'a token is of this issuer': 'registerAccessTokenSigning without allowedIss',
    'a token is for this service': 'registerAccessTokenSigning without allowedAud',
    'a token has all claims': 'registerAccessTokenSigning without requiredClaims',
  },
  'test/features/identity/organizations/limited-members.test.ts': {
    'a code outside of the folders of a limited member is none': 'enforceFolderLimit without isInFolders',
    'the list of codes is limited to folders': 'createQrCodeConditions without limitedTo',
  },
  'test/features/identity/accounts/sessions.test.ts': {
    'a suspended user is refused': 'findAccessRefusal without ACCOUNT_SUSPENDED',
    'an ended session is refused': 'buildOpenSessionsQuery without ended_at',
    'an expired session is refused': 'findOpenSession without expires_at',
    'an old session is refused': 'findOpenSession without isTooOld',
    'the session of an erased user is refused': 'findOpenSession without PENDING_VERIFICATION',
    'a reused refresh token ends the session': 'refreshSession without isWithinRotationGrace',
    'a refresh token of an ended session is refused': 'refreshSession without isValid',
  },
  'test/features/identity/accounts/enterprise.test.ts': {
    'an enterprise account enrolls its second factor first':
      'findAccessRefusal without MFA_ENROLLMENT_REQUIRED',
    'an unconfirmed second factor does not count as enrolled':
      'buildEnterpriseConditions without confirmed_at',
  },
  'test/features/identity/accounts/profile.test.ts': {
    'a route for profiles needs one': 'findAccessRefusal without PROFILE_REQUIRED',
  },
  'test/platform/route-access.test.ts': {
    'a start with an undeclared route fails': 'accessControlPlugin without undeclaredRoutes',
  },
  'test/platform/acting-account.test.ts': {
    'a user acts only for accounts of theirs': 'findAccountRefusal without ACCOUNT_NOT_FOUND',
    'a suspended organization is refused': 'findAccountRefusal without ACCOUNT_SUSPENDED',
    'a deleted organization is refused': 'buildOpenSessionsQuery without <>',
    'an API key acts for its own account': 'findApiKeyUser without isNamedAccount',
  },
  'test/features/identity/organizations/members.test.ts': {
    'only owners and managers change roles': 'changeMemberRole without FORBIDDEN',
    'the only owner of an organization stays one': 'assertOwnerRemains without LAST_OWNER',
    'making an owner needs a recent login': 'changeMemberRole without requireRecentLogin',
    'a role is changed in the version that was read': 'lockMember without assertIfMatch',
  },
  'test/features/identity/organizations/remove-member.test.ts': {
    'only owners and managers remove members': 'assertMayRemove without FORBIDDEN',
    'removing an owner needs a recent login': 'removeMember without requireRecentLogin',
    'the only owner does not leave': 'endMembership without assertOwnerRemains',
    'what a member had ends with the membership': 'endMembership without publishMembershipChange',
  },
  'test/features/identity/organizations/policies.test.ts': {
    'only owners and managers read who has no second factor': 'readPolicies without FORBIDDEN',
    'requiring a second factor needs a recent login': 'changePolicies without requireRecentLogin',
    'whoever requires a second factor has one': 'changePolicies without MFA_ENROLLMENT_REQUIRED',
    'an organization is not acted for long after the login':
      'findAccountRefusal without REAUTHENTICATION_REQUIRED',
    'an organization is not managed long after the login':
      'requireOrganizationSession without REAUTHENTICATION_REQUIRED',
  },
  'test/features/audit/organization-audit.test.ts': {
    'only owners read the audit trail of an organization': 'getAuditedOrganization without FORBIDDEN',
    'nobody finds out by an id what a stranger did': 'listOrganizationAudit without isReadableActor',
    'the verification of an organization is limited': 'verifyOrganizationEntries without consumeAttempts',
  },
  'test/features/identity/organizations/required-second-factor.test.ts': {
    'enterprise mode of an organization needs a second factor':
      'assertEnrolled without MFA_ENROLLMENT_REQUIRED',
  },
  'test/features/identity/organizations/transfer-ownership.test.ts': {
    'a transfer of the ownership needs a recent login': 'transferOwnership without requireRecentLogin',
  },
  'test/platform/assert-still-authorized.test.ts': {
    'an administrator whose session ended changes nothing': 'assertStillAuthorized without UNAUTHENTICATED',
    'a suspended administrator changes nothing': 'assertStillAuthorized without ACCOUNT_SUSPENDED',
    'a demoted administrator changes nothing': 'assertStillAuthorized without FORBIDDEN',
  },
  'test/features/identity/api-keys/api-keys.test.ts': {
    'an API key calls only what its scopes allow': 'enforceApiKeyScope without includes',
    'an API key calls nothing without a scope for it': 'enforceApiKeyScope without API_KEY_NOT_ALLOWED',
    'an API key works from its networks only': 'enforceApiKeyScope without NETWORK_NOT_ALLOWED',
    'a revoked API key does not work': 'findActiveApiKey without revoked_at',
    'making an API key needs a recent login': 'createApiKey without requireRecentLogin',
  },
  'test/features/identity/accounts/idle-session.test.ts': {
    'an idle enterprise session ends': 'findSessionUser without isIdle',
  },
  'test/features/realtime/authorize-subscription.test.ts': {
    'a socket follows the rule of routes': 'canSessionSubscribe without findAccessRefusal',
    'a socket of a finder needs the token of the conversation':
      'authorizeSubscription without isConversationTokenValid',
  },
  'test/features/codes/qrcode.repository.test.ts': {
    'a user reads only own codes': 'findOwnQrCode without accountId',
    'only the owner deletes a code': 'softDeleteQrCode without account_id',
  },
  'test/features/documents/access-repositories.test.ts': {
    'a user reads only own documents': 'findOwnDocument without accountId',
    'ending a link ends its downloads': 'findShareAccess without endedAt',
    'a link of a suspended owner is closed': 'findSharedDocumentByTokenHash without ACTIVE',
    'a granted document is read only by its recipient': 'selectReceivedDocuments without email_hash',
    'documents of suspended owners are not received': 'findReceivedDocument without ACTIVE',
  },
  'test/features/scans/scan-token.test.ts': {
    'a scan token is verified': 'isValidScanToken returns true',
  },
  'test/features/finder/closed-codes.test.ts': {
    'a paused or expired code is closed': 'assertQrCodeOpen returns undefined',
  },
  'test/features/scans/replaced-pin.test.ts': {
    'a change of the code locks a scan again': 'isScanUnlocked returns scan.unlockedVersion !== null',
  },
  'test/features/documents/shares/share.rules.test.ts': {
    'an ended share link is closed': 'getShareState without ENDED',
    'an expired share link is closed': 'getShareState without EXPIRED',
    'a used-up share link is closed': 'getShareState without USED_UP',
    'a health document of an enterprise account needs strict sharing': 'getShareState without NOT_ALLOWED',
  },
  'test/features/memory-tags/access-repositories.test.ts': {
    'only owner and caretakers edit a memory tag': 'isCaretaker returns true',
    'a caretaker cannot do what only the owner may': 'lockOwnMemoryTag without OWNER',
    'emergency access expires': 'findActiveBreakGlassGrant without gt',
    'emergency access is for one record': 'findActiveBreakGlassGrant without resourceId',
    'an entry is decided in its own guest book': 'deleteGuestBookEntry without memoryTagId',
    'a caretaker is removed from their memory tag only': 'deleteCaretaker without memoryTagId',
    'a picture is of its gallery': 'findPicture without gallery',
  },
  'test/features/identity/sign-in/sign-in.test.ts': {
    'revoking access ends begun sign-ins': 'revokeUserAccess without deleteUserSignInCodes',
  },
  'test/features/webhooks/verification.test.ts': {
    'an address returns its challenge': 'isChallengeAnswer returns true',
    'a public address is verified': 'needsVerification returns false',
  },
  'test/features/administration/update-user.test.ts': {
    'the last administrator stays': 'wouldRemoveLastAdministrator returns false',
    'another role ends the sessions': 'changeUserRole without revokeUserAccess',
  },
  'test/features/identity/access-repositories.test.ts': {
    'a change needs an open session': 'lockOpenSession without expires_at',
    'revoking access ends the sessions': 'revokeUserAccess without markUserSessionsEnded',
    'revoking access invalidates reset links': 'revokeUserAccess without invalidatePasswordResets',
    'revoking access invalidates device tokens': 'incrementAccessEpoch returns 0',
    'a reset link works once': 'consumePasswordReset without used_at',
    'a reset link expires': 'findPasswordReset without expires_at',
    'a code of the second factor works once': 'consumeTotpStep without last_step',
    'an enrollment does not replace a second factor': 'upsertSecondFactorEnrollment without confirmed_at',
    'a recovery code works once': 'consumeRecoveryCode without used_at',
    'a started login expires': 'findPendingLogin without expiresAt',
    'a user removes only own identities': 'findOwnIdentity without userId',
  },
  'test/features/identity/second-factor/verify.test.ts': {
    'a second factor asked for before a password change is void':
      'computeLoginFingerprint returns Buffer.alloc(32)',
    'a suspended user completes no second step': 'completeSecondFactor without ACCOUNT_SUSPENDED',
  },
  'test/features/identity/accounts/log-in-races.system.test.ts': {
    'a password that changed during the comparison does not log in': 'logIn without isPasswordUnchanged',
  },
  'test/features/identity/sign-in/link.rules.test.ts': {
    'a provider does not take over an address that another identity has':
      'decideIdentityLink without isLinkable',
    'an unverified registration loses its data to the proven owner': 'decideIdentityLink without CLEAR',
  },
  'test/features/finder/form-token.test.ts': {
    'a form of a finder is signed': 'isConversationFormTokenValid returns true',
  },
  'test/features/finder/owner-links.test.ts': {
    'an owner link of a suspended user shows nothing': 'findOwnerLinkAccess without SUSPENDED',
  },
  'test/features/finder/gallery-pages.test.ts': {
    'pictures behind a PIN need a ticket': 'openGalleryByPictureTicket without isValidPictureTicket',
  },
  'test/features/finder/share-pages.test.ts': {
    'an offered document needs the PIN of its code': 'getOfferedDocumentShare without isScanUnlocked',
  },
  'test/features/conversations/conversations.test.ts': {
    'an expired conversation is not found': 'findConversation without expiresAt',
  },
  'test/features/realtime/realtime.test.ts': {
    'a message is of its conversation': 'findMessage without conversationId',
  },
  'test/platform/membership.test.ts': {
    'nobody acts for a suspended organization on a socket':
      'buildUsableMembershipsQuery without account.status',
    'acting for an organization on a socket needs its second factor':
      'buildUsableMembershipsQuery without buildSecondFactorCondition',
  },
  'test/features/notifications/members.test.ts': {
    'nothing waits for a digest of a removed member': 'sendDigests without deleteDigestItems',
  },
  'test/features/conversations/assignees.test.ts': {
    'only who may answer is assigned': 'updateConversation without assertAssignable',
    'who may no longer answer is unassigned': 'createConversationsFeature without unassignMember',
  },
  'test/features/conversations/notes.test.ts': {
    'only its author changes a note': 'changeNote without FORBIDDEN',
    'not everybody deletes the notes of others': 'removeNote without FORBIDDEN',
    'notes have a limit an hour': 'addNote without consumeAttempts',
  },
  'test/features/conversations/update-conversation.test.ts': {
    'what its owner ended is reopened, not opened': 'updateConversation without CONVERSATION_ENDED',
  },
  'test/features/conversations/reports.test.ts': {
    'only the owner reports as the owner': 'requireOwnConversation without NOT_FOUND',
  },
  'test/features/scans/statistics/statistics.test.ts': {
    'statistics are of own codes': 'readOwnQrCodeStatistics without isOwnQrCode',
  },
  'test/features/identity/sign-in/sign-in-refusals.test.ts': {
    'a code of a provider needs its verifier': 'exchangeSignInCode without hashSignInProof',
  },
  'test/features/identity/sign-in/token-sign-in.test.ts': {
    'an ID token works once': 'signInWithIdToken without consumeSignInProof',
  },
  'test/features/identity/sign-in/identities.test.ts': {
    'the last sign-in method stays': 'identityRoutes without LAST_SIGN_IN_METHOD',
    'a sensitive change needs a recent log-in': 'requireRecentLogin without REAUTHENTICATION_REQUIRED',
  },
  'test/features/identity/sign-in/second-factor.test.ts': {
    'an identity signs in after its first complete log-in': 'findIdentity without CONFIRMED',
  },
  'test/features/finder/conversation-pages.test.ts': {
    'a mailed link does not skip a second factor': 'listLinkMembers without EXISTS',
    'a mailed link does not let a suspended user in': 'listLinkMembers without VERIFIED',
  },
  'test/features/identity/accounts/verify-otp.test.ts': {
    'a mailed code expires': 'consumeOtpAttempts without expires_at',
  },
  'test/features/transfers/code-moves.test.ts': {
    'only owners move codes away': 'assertMoveAllowed without OWNER',
    'codes go only where their user may create codes': 'assertMoveAllowed without EDITING_ROLES',
    'codes of a suspended user stay': 'assertMoveAllowed without status',
    'a member limited to folders moves no codes there': 'assertMoveAllowed without isLimited',
  },
};
