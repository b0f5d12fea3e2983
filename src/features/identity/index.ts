import type { Db } from '../../platform/database.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import {
  CurrentUserResponse,
  DeviceTokenResponse,
  NewProfileResponse,
  RefreshTokenResponse,
  RegistrationResponse,
  SessionSchema,
  TokenResponse,
  UserSchema,
} from './accounts/accounts.schemas.ts';
import { hasEnterpriseMode } from './accounts/enterprise.repository.ts';
import { getDataExportPolicy } from './accounts/enterprise.rules.ts';
import { deleteExpiredLoginDelays } from './accounts/login-delay.repository.ts';
import { passwordRoutes } from './accounts/password.routes.ts';
import { deleteExpiredPasswordResets } from './accounts/password-reset.repository.ts';
import { passwordResetPageRoutes } from './accounts/password-reset-page.routes.ts';
import { userProfileRoutes } from './accounts/profile.routes.ts';
import { deleteExpiredRegistrations } from './accounts/registration.repository.ts';
import { registrationRoutes } from './accounts/registration.routes.ts';
import { deleteEndedSessions, deleteExpiredRefreshTokens } from './accounts/session.repository.ts';
import { sessionRoutes } from './accounts/session.routes.ts';
import { deleteEndedApiKeys } from './api-keys/api-key.repository.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { ApiKeySchema, ApiKeyScopeSchema, ApiKeyWithTokenSchema } from './api-keys/api-keys.schemas.ts';
import { deleteExpiredInvitations } from './organizations/invitations/invitation.repository.ts';
import { invitationRoutes } from './organizations/invitations/invitations.routes.ts';
import {
  InvitationSchema,
  ReceivedInvitationSchema,
} from './organizations/invitations/invitations.schemas.ts';
import { receivedInvitationRoutes } from './organizations/invitations/received-invitations.routes.ts';
import { memberRoutes } from './organizations/members.routes.ts';
import { MemberAccessSchema, MemberSchema } from './organizations/members.schemas.ts';
import { organizationRoutes } from './organizations/organizations.routes.ts';
import { OrganizationSchema } from './organizations/organizations.schemas.ts';
import { organizationPolicyRoutes } from './organizations/policies/policies.routes.ts';
import { OrganizationPoliciesSchema } from './organizations/policies/policies.schemas.ts';
import { requireOrganizationSession } from './organizations/policies/require-organization-session.ts';
import { deleteExpiredPendingLogins } from './second-factor/pending-login.repository.ts';
import { deleteExpiredSecondFactorEnrollments } from './second-factor/second-factor.repository.ts';
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts';
import {
  LogInResponse,
  MfaChallengeResponse,
  MfaConfirmationResponse,
  MfaEnrollmentResponse,
  MfaStateResponse,
  RecoveryCodesResponse,
} from './second-factor/second-factor.schemas.ts';
import { identityRoutes } from './sign-in/identities.routes.ts';
import { IdentitySchema, SignInStartResponse } from './sign-in/identities.schemas.ts';
import { deleteUnconfirmedIdentities } from './sign-in/identity.repository.ts';
import type { IdentityServices } from './sign-in/identity-services.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { deleteExpiredSignInCodes } from './sign-in/sign-in-code.repository.ts';
import { signInPageRoutes } from './sign-in/sign-in-page.routes.ts';
import { deleteExpiredSignInProofs } from './sign-in/sign-in-proof.repository.ts';

export const identityManifest: FeatureManifest = {
  name: 'identity',
  queues: [],
  schemas: [
    UserSchema,
    NewProfileResponse,
    TokenResponse,
    MfaChallengeResponse,
    LogInResponse,
    MfaStateResponse,
    MfaEnrollmentResponse,
    RecoveryCodesResponse,
    MfaConfirmationResponse,
    RefreshTokenResponse,
    DeviceTokenResponse,
    RegistrationResponse,
    SessionSchema,
    CurrentUserResponse,
    SignInStartResponse,
    IdentitySchema,
    OrganizationSchema,
    OrganizationPoliciesSchema,
    MemberSchema,
    MemberAccessSchema,
    InvitationSchema,
    ReceivedInvitationSchema,
    ApiKeyScopeSchema,
    ApiKeySchema,
    ApiKeyWithTokenSchema,
  ],
};

export function createIdentityFeature(services: IdentityServices) {
  const { database, isEnterpriseEnforced } = services;
  const { client } = database;
  const feature: Feature = {
    async plugin(app) {
      await app.register(registrationRoutes, { prefix: '/api/auth', ...services });
      await app.register(sessionRoutes, { prefix: '/api/auth', ...services });
      await app.register(secondFactorRoutes, { prefix: '/api/auth/mfa', ...services });
      await app.register(passwordRoutes, { prefix: '/api/auth', ...services });
      await app.register(passwordResetPageRoutes, { prefix: '/api/auth' });
      await app.register(userProfileRoutes, { prefix: '/api/auth', ...services });
      await app.register(signInRoutes, { prefix: '/api/auth', ...services });
      await app.register(signInPageRoutes, { prefix: '/api/auth' });
      await app.register(identityRoutes, { prefix: '/api/auth', ...services });
      await app.register(async (scope) => {
        scope.addHook('preHandler', (request) =>
          requireOrganizationSession(database, request, Reflect.get(Object(request.params), 'id')),
        );
        await scope.register(organizationRoutes, { prefix: '/api/organizations', ...services });
        await scope.register(organizationPolicyRoutes, { prefix: '/api/organizations', ...services });
        await scope.register(memberRoutes, { prefix: '/api/organizations', ...services });
        await scope.register(invitationRoutes, { prefix: '/api/organizations', ...services });
      });
      await app.register(receivedInvitationRoutes, { prefix: '/api/invitations', ...services });
      await app.register(apiKeyRoutes, { prefix: '/api/api-keys', ...services });
    },
    cleanUp: [
      () => deleteExpiredLoginDelays(client),
      () => deleteExpiredPendingLogins(client),
      () => deleteExpiredSecondFactorEnrollments(client),
      () => deleteExpiredPasswordResets(client, getDateDaysAgo(7)),
      () => deleteUnconfirmedIdentities(client, getDateDaysAgo(1)),
      () => deleteExpiredSignInCodes(client, getDateDaysAgo(1)),
      () => deleteExpiredSignInProofs(client),
      () => deleteExpiredRefreshTokens(client, getDateDaysAgo(1)),
      () => deleteEndedApiKeys(client, getDateDaysAgo(LIFETIMES_SECONDS.endedApiKey / DAY_SECONDS)),
      () =>
        deleteExpiredInvitations(client, getDateDaysAgo(LIFETIMES_SECONDS.expiredInvitation / DAY_SECONDS)),
      () => deleteEndedSessions(client, getDateDaysAgo(90)),
      () => database.transaction((tx) => deleteExpiredRegistrations(tx, getDateDaysAgo(7))),
    ],
  };
  return {
    feature,
    services: {
      mustEncryptExport: async (db: Db, userId: string) =>
        getDataExportPolicy(isEnterpriseEnforced || (await hasEnterpriseMode(db, userId))) !== 'PLAIN',
    },
  };
}

export {
  PasswordChangeRequest,
  PasswordInput,
  RegistrationRequest,
  USER_STATUSES,
  UserProfileRequest,
} from './accounts/accounts.schemas.ts';
export {
  type AdministeredUser,
  findUserForAdministrationByEmail,
  hasOtherAdministrator,
  listAdministrators,
  lockAdministrators,
  lockUserForAdministration,
  updateUserRole,
  updateUserStatus,
} from './accounts/administrator.repository.ts';
export {
  changeEnterpriseModeByEmail,
  setEnterpriseModeAndNotify,
} from './accounts/change-enterprise-mode.use-case.ts';
export { changePassword, findNewPasswordErrors } from './accounts/change-password.use-case.ts';
export { type ConfirmedRegistration, confirmEmail } from './accounts/confirm-email.use-case.ts';
export { createDeviceToken, deriveSessionLoginThrottleKeys } from './accounts/device-token.ts';
export { logOut, revokeSession } from './accounts/end-session.use-case.ts';
export { hasEnterpriseMode } from './accounts/enterprise.repository.ts';
export { addFirstStep, findFirstSteps } from './accounts/first-steps.repository.ts';
export {
  findAccessEpoch,
  findLinkMember,
  getLinkEpoch,
  listLinkMembers,
} from './accounts/link-access.repository.ts';
export { lockUserAndSession } from './accounts/lock-user-and-session.ts';
export { type LoginResult, logIn } from './accounts/log-in.use-case.ts';
export { consumeLoginAttempt, resetLoginFailures } from './accounts/login-delay.repository.ts';
export { tryConsumeEmailAddressMailQuota } from './accounts/mail-quota.ts';
export { findPasswordErrors, MIN_PASSWORD_CHARACTERS } from './accounts/password.rules.ts';
export { createPasswordResetLink, PASSWORD_RESET_LINK_MINUTES } from './accounts/password-reset-link.ts';
export { PROFILE_PICTURE_FORM } from './accounts/profile-picture.ts';
export { assertProfilePictureAvailable } from './accounts/profile-picture-files.ts';
export { register } from './accounts/register.use-case.ts';
export { findRegistrationErrors } from './accounts/registration.routes.ts';
export type { RenewedAccess } from './accounts/renewed-access.ts';
export { requireRecentLogin } from './accounts/require-recent-login.ts';
export { resendOtp, resendOtpToNetwork } from './accounts/resend-otp.ts';
export {
  findResetPasswordErrors,
  requestPasswordReset,
  resetPassword,
} from './accounts/reset-password.use-case.ts';
export { revokeUserAccess } from './accounts/revoke-access.ts';
export { createProfile, findProfileErrors, updateProfile } from './accounts/save-profile.use-case.ts';
export { listActiveUserSessions } from './accounts/session.repository.ts';
export { findUser, hasAdministrator, upsertAdministrator } from './accounts/user.repository.ts';
export { toUserView } from './accounts/user.view.ts';
export { formatUserAgentFamily } from './accounts/user-agent-family.rules.ts';
export { findApiKey, listApiKeyNames, listApiKeys } from './api-keys/api-key.repository.ts';
export { MAX_ACTIVE_API_KEYS } from './api-keys/api-key.rules.ts';
export { toApiKeyView } from './api-keys/api-key.view.ts';
export { ApiKeyRequest } from './api-keys/api-keys.schemas.ts';
export {
  type ApiKeyManager,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
  selectManagedApiKeys,
  takeOverApiKey,
} from './api-keys/manage-api-keys.use-case.ts';
export {
  changeMemberRole,
  getMember,
  limitMemberToFolders,
  type OrganizationMember,
} from './organizations/change-member-role.use-case.ts';
export { deleteOrganization, restoreOrganization } from './organizations/delete-organization.use-case.ts';
export {
  acceptInvitation,
  declineInvitation,
  findInvitationByToken,
} from './organizations/invitations/answer-invitation.use-case.ts';
export { listPendingInvitations } from './organizations/invitations/invitation.repository.ts';
export { type InvitedRole, listInvitableRoles } from './organizations/invitations/invitation.rules.ts';
export { toInvitationView } from './organizations/invitations/invitation.view.ts';
export {
  type InvitationSchema,
  MAX_PENDING_INVITATIONS,
  NewInvitation,
  type NewInvitationInput,
} from './organizations/invitations/invitations.schemas.ts';
export { inviteMember } from './organizations/invitations/invite-member.use-case.ts';
export {
  resendInvitation,
  revokeInvitation,
} from './organizations/invitations/manage-invitations.use-case.ts';
export { getManagedOrganization } from './organizations/invitations/managed-organization.ts';
export type { ReceivedInvitationRow } from './organizations/invitations/received-invitation.repository.ts';
export { listOwnInvitations } from './organizations/invitations/received-invitations.ts';
export {
  changeOrganization,
  createOrganization,
  getOwnOrganization,
} from './organizations/manage-organizations.use-case.ts';
export { listMembers, type MemberRow } from './organizations/member.repository.ts';
export { canManageMember, managesMembers } from './organizations/member.rules.ts';
export {
  anonymizeOrganization,
  type DueOrganization,
  listDueOrganizations,
  listOrganizations,
  listOrganizationsOfOnlyOwner,
  lockDueOrganization,
  lockOrganizationsOfOnlyOwner,
  type OrganizationRow,
} from './organizations/organization.repository.ts';
export { MAX_OWNED_ORGANIZATIONS, NewOrganization } from './organizations/organizations.schemas.ts';
export {
  changePolicies,
  type ReadPolicies,
  readPolicies,
} from './organizations/policies/change-policies.use-case.ts';
export { MAX_SESSION_HOURS, OrganizationPoliciesChange } from './organizations/policies/policies.schemas.ts';
export { requireOrganizationSession } from './organizations/policies/require-organization-session.ts';
export { readMemberAccess, removeMember } from './organizations/remove-member.use-case.ts';
export { transferOwnership } from './organizations/transfer-ownership.use-case.ts';
export { identityPersonalData } from './personal-data.ts';
export { disableSecondFactor, renewRecoveryCodes } from './second-factor/change-second-factor.use-case.ts';
export {
  countStaffSecondFactors,
  deleteSecondFactor,
  findSecondFactorState,
  lockSecondFactor,
} from './second-factor/second-factor.repository.ts';
export {
  confirmSecondFactorEnrollment,
  drawSecondFactorQrCode,
  startSecondFactorEnrollment,
} from './second-factor/second-factor-enrollment.use-case.ts';
export type { SecondFactorServices } from './second-factor/second-factor-services.ts';
export {
  completeSecondFactor,
  type SecondFactorLoginResult,
} from './second-factor/verify-second-factor.use-case.ts';
export { createAuthorization, createLinkAuthorization } from './sign-in/begin-authorization.ts';
export { listUserIdentities } from './sign-in/identity.repository.ts';
export type { IdentityServices } from './sign-in/identity-services.ts';
export { formatIdentityProviderName } from './sign-in/link.rules.ts';
export { linkAuthorizedIdentity } from './sign-in/link-identity.use-case.ts';
export {
  formatExpiredSignInCookie,
  formatSignInCookie,
  parseSignInCookie,
} from './sign-in/sign-in-cookie.ts';
export { type SignInErrorCode, toSignInErrorCode } from './sign-in/sign-in-errors.ts';
export { exchangeSignInCode } from './sign-in/sign-in-with-provider.use-case.ts';
export { unlinkIdentity } from './sign-in/unlink-identity.use-case.ts';
