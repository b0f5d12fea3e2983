export {
  CurrentUserResponse,
  DeviceTokenResponse,
  PasswordInput,
  RefreshTokenResponse,
  RegistrationResponse,
  SessionSchema,
  TokenResponse,
  USER_STATUSES,
  UserSchema,
} from './accounts/accounts.schemas.ts';
export {
  findUserRole,
  hasOtherAdministrator,
  type LockedUser,
  listAdministrators,
  lockAdministrators,
  lockUserForAdministration,
  updateUserRole,
  updateUserStatus,
} from './accounts/administrator.repository.ts';
export {
  changeEnterpriseModeByEmail,
  setEnterpriseModeAndNotify,
} from './accounts/change-enterprise-mode.ts';
export { createEmailThrottleKeys, createSessionThrottleKeys } from './accounts/device-token.ts';
export { hasEnterpriseMode } from './accounts/enterprise.repository.ts';
export { getExportPolicy } from './accounts/enterprise.rules.ts';
export { lockUserAndSession } from './accounts/lock-user-and-session.ts';
export {
  consumeLoginAttempt,
  deleteExpiredLoginDelays,
  resetLoginFailures,
} from './accounts/login-delay.repository.ts';
export { tryConsumeEmailAddressMailQuota } from './accounts/mail-quota.ts';
export { findPasswordProblems } from './accounts/password.rules.ts';
export { deleteExpiredPasswordResets } from './accounts/password-reset.repository.ts';
export { getProfilePicturePath } from './accounts/profile-picture-files.ts';
export { deleteExpiredRegistrations } from './accounts/registration.repository.ts';
export { resendOtp } from './accounts/resend-otp.ts';
export { revokeAccess } from './accounts/revoke-access.ts';
export { deleteEndedSessions, deleteExpiredRefreshTokens } from './accounts/session.repository.ts';
export { findUser, hasAdministrator, type UserRow, upsertAdministrator } from './accounts/user.repository.ts';
export { getPhoneLocation } from './accounts/user.view.ts';
export { deleteExpiredPendingLogins } from './second-factor/pending-login.repository.ts';
export {
  deleteExpiredEnrollments,
  deleteSecondFactor,
  hasSecondFactor,
  lockSecondFactor,
} from './second-factor/second-factor.repository.ts';
export {
  LogInResponse,
  MfaChallengeResponse,
  MfaConfirmationResponse,
  MfaEnrollmentResponse,
  MfaStateResponse,
  RecoveryCodesResponse,
} from './second-factor/second-factor.schemas.ts';
export type { SecondFactorServices } from './second-factor/second-factor-services.ts';
export { IdentitySchema, SignInStartResponse } from './sign-in/identities.schemas.ts';
export { deleteExpiredSignInCodes } from './sign-in/sign-in-code.repository.ts';
export { deleteExpiredSignInProofs } from './sign-in/sign-in-proof.repository.ts';
