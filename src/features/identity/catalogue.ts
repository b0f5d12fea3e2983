import { defineAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';

/** The errors, audit actions, permissions and encrypted columns of identity. */
export const identityCatalogue = defineCatalogue({
  errors: {
    OTP_INVALID: defineError(
      400,
      'The code is not valid.',
      'Wrong, expired, already used, or for another address. Ask for a new code with POST /api/auth/resend-otp.',
    ),
    RESET_TOKEN_INVALID: defineError(
      400,
      'The reset link is not valid.',
      'Wrong, expired or already used. Ask for a new one with POST /api/auth/forgot-password.',
    ),
    CREDENTIALS_INVALID: defineError(
      401,
      'E-mail or password is wrong.',
      'The same answer whether the address is unknown or the password is wrong.',
    ),
    REFRESH_TOKEN_INVALID: defineError(
      401,
      'The refresh token is not valid.',
      'Unknown, expired, ended, or used again after it was replaced; the last ends the whole session. Log in again.',
    ),
    SIGN_IN_INVALID: defineError(
      401,
      'The sign-in is not valid.',
      'The code or ID token is wrong, expired, used already, or for another client. Begin again with GET /api/auth/google.',
    ),
    MFA_TOKEN_INVALID: defineError(
      401,
      'The first step of the log-in is not valid any more.',
      'Unknown, expired, already used, or the password was changed since. Log in again.',
    ),
    MFA_CODE_INVALID: defineError(
      401,
      'The code of the second factor is wrong.',
      'Wrong, or used before: each code works once. Wait for the next one, or use a recovery code.',
    ),
    EMAIL_NOT_VERIFIED: defineError(
      403,
      'The e-mail address is not confirmed yet.',
      'Confirm it with POST /api/auth/verify-otp; POST /api/auth/resend-otp sends a new code.',
    ),
    IDENTITY_NOT_VERIFIED: defineError(
      403,
      'The provider has not verified the address.',
      'Confirm the address at the identity provider, or register here with a password.',
    ),
    MFA_ENROLLMENT_REQUIRED: defineError(
      403,
      'A second factor is needed first.',
      'The account is in enterprise mode. Switch it on with POST /api/auth/mfa/enroll and POST /api/auth/mfa/confirm.',
    ),
    REAUTHENTICATION_REQUIRED: defineError(
      403,
      'A log-in of a moment ago is needed.',
      'The account has no password to show who asks. Log in again, then repeat the request within ten minutes.',
    ),
    LAST_ADMINISTRATOR: defineError(
      409,
      'Nobody else is administrator.',
      'The last administrator who can log in cannot lose the role or the account. Make another one first.',
    ),
    ENFORCED_GLOBALLY: defineError(
      409,
      'Enterprise mode is enforced for all accounts.',
      'While ENTERPRISE_MODE is set, enterprise mode cannot be disabled for one account.',
    ),
    PROFILE_EXISTS: defineError(
      409,
      'The profile exists already.',
      'Change it with PUT /api/auth/profile/<user_id>.',
    ),
    IDENTITY_CONFLICT: defineError(
      409,
      'The account belongs to another identity.',
      'The account with this address opens by another identity of the same provider. Log in another way, and take that one off with DELETE /api/auth/identities/<id>.',
    ),
    LAST_SIGN_IN_METHOD: defineError(
      409,
      'The last sign-in method cannot be removed.',
      'Set a password first with POST /api/auth/forgot-password.',
    ),
    MFA_ALREADY_ENABLED: defineError(
      409,
      'There is a second factor already.',
      'Switch it off with DELETE /api/auth/mfa before another one is set up.',
    ),
    MFA_NOT_ENABLED: defineError(
      409,
      'There is no second factor, or none that waits for its first code.',
      'Begin with POST /api/auth/mfa/enroll and enter the code within fifteen minutes.',
    ),
  },
  auditActions: {
    USER_REGISTERED: defineAction('LOW', 'USER', 'An address was given for a new account.'),
    USER_REGISTRATION_REPEATED: defineAction(
      'LOW',
      'USER',
      'Somebody registered an address that has an account.',
    ),
    USER_PRIVILEGE_REQUESTED: defineAction(
      'MEDIUM',
      'USER',
      'A registration asked for rights; they were not given.',
    ),
    OTP_RESENT: defineAction('LOW', 'USER', 'A new one-time code was asked for.'),
    OTP_REJECTED: defineAction('MEDIUM', 'USER', 'A wrong one-time code was entered.'),
    EMAIL_VERIFIED: defineAction('LOW', 'USER', 'An address was confirmed by its one-time code.'),
    PROFILE_CREATED: defineAction('LOW', 'USER', 'A person completed their profile.'),
    PROFILE_READ: defineAction('LOW', 'USER', "An administrator read a person's profile."),
    PROFILE_UPDATED: defineAction('LOW', 'USER', 'A person changed their profile.'),
    PASSWORD_CHANGED: defineAction('HIGH', 'USER', 'A password was changed by its owner.'),
    PASSWORD_CHANGE_REJECTED: defineAction(
      'MEDIUM',
      'USER',
      'A password was to be changed with a wrong current one.',
    ),
    PASSWORD_RESET_REQUESTED: defineAction('MEDIUM', 'USER', 'A link for a new password was asked for.'),
    PASSWORD_RESET: defineAction('HIGH', 'USER', 'A password was replaced by way of a mailed link.'),
    PASSWORD_RESET_REJECTED: defineAction('MEDIUM', 'USER', 'A link for a new password was not valid.'),
    ENTERPRISE_MODE_ENABLED: defineAction(
      'HIGH',
      'USER',
      'The rules of enterprise mode were switched on for a person.',
    ),
    ENTERPRISE_MODE_DISABLED: defineAction(
      'CRITICAL',
      'USER',
      'The rules of enterprise mode were switched off for a person.',
    ),
    MFA_ENROLL_STARTED: defineAction('MEDIUM', 'USER', 'A person asked for the secret of a second factor.'),
    MFA_ENABLED: defineAction('HIGH', 'USER', 'A person switched their second factor on.'),
    MFA_DISABLED: defineAction('HIGH', 'USER', 'A person switched their second factor off.'),
    MFA_REJECTED: defineAction('MEDIUM', 'USER', 'A wrong code or password was given for a second factor.'),
    RECOVERY_CODES_RENEWED: defineAction(
      'HIGH',
      'USER',
      'A person got new recovery codes; the old ones are void.',
    ),
    LOGIN_SUCCEEDED: defineAction('LOW', 'SESSION', 'A person logged in.'),
    LOGIN_FAILED: defineAction('MEDIUM', 'SESSION', 'A log-in failed.'),
    MFA_REQUIRED: defineAction(
      'LOW',
      'USER',
      'The first step of a log-in was right; the second factor was asked for.',
    ),
    MFA_VERIFIED: defineAction('LOW', 'SESSION', 'A person logged in by their second factor.'),
    RECOVERY_CODE_USED: defineAction('HIGH', 'SESSION', 'A person logged in by a recovery code.'),
    LOGOUT: defineAction('LOW', 'SESSION', 'A person logged out.'),
    SESSION_REFRESHED: defineAction('LOW', 'SESSION', 'A refresh token was replaced.'),
    SESSION_REVOKED: defineAction('MEDIUM', 'SESSION', 'A person ended one of their sessions.'),
    SESSION_IDLE_ENDED: defineAction(
      'LOW',
      'SESSION',
      'A session was ended because nothing was asked with it for long.',
    ),
    REFRESH_TOKEN_REUSED: defineAction(
      'HIGH',
      'SESSION',
      'A replaced refresh token came again; the session was ended.',
    ),
    IDENTITY_CONFIRMED: defineAction('LOW', 'USER', 'An identity provider confirmed who a person is.'),
    IDENTITY_SIGN_IN_REJECTED: defineAction(
      'MEDIUM',
      'USER',
      'A sign-in with an identity provider was rejected.',
    ),
    IDENTITY_LOGIN_SUCCEEDED: defineAction('LOW', 'SESSION', 'A person logged in by an identity provider.'),
    IDENTITY_ACCOUNT_CREATED: defineAction(
      'LOW',
      'USER',
      'An account was made for a person of an identity provider.',
    ),
    IDENTITY_LINKED: defineAction(
      'HIGH',
      'USER',
      'An identity provider may from now on open an existing account.',
    ),
    IDENTITY_UNLINKED: defineAction('HIGH', 'USER', 'A person took an identity provider off their account.'),
    UNVERIFIED_ACCOUNT_CLEARED: defineAction(
      'HIGH',
      'USER',
      'Data of unverified registrations was removed before an identity was linked.',
    ),
  },
  permissions: {
    'account:use': { roles: EVERY_ROLE, meaning: 'Read and change the own account, sessions and profile.' },
    'profiles:read-any': { roles: ['ADMIN'], meaning: "Read any person's profile." },
  },
  encryptedColumns: [
    { table: 'users', column: 'phone', rowId: 'id', owner: 'id', algorithm: 'GCM', resourceType: 'USER' },
    {
      table: 'pending_registrations',
      column: 'profile',
      rowId: 'id',
      owner: 'user_id',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
    {
      table: 'second_factors',
      column: 'secret',
      rowId: 'user_id',
      owner: 'user_id',
      algorithm: 'GCM',
      resourceType: 'USER',
    },
  ],
});
