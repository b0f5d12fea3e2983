import { ROLES_OF_API_KEYS } from '../../shared/account-permissions.ts';
import { defineAuditAction, defineCatalogue, defineError, EVERY_ROLE } from '../../shared/catalogue.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const identityCatalogue = defineCatalogue({
  errors: {
    OTP_INVALID: defineError(
      400,
      'Invalid verification code.',
      'The code is wrong, expired, already used, or belongs to another address. Request a new one with POST /api/auth/resend-otp.',
    ),
    RESET_TOKEN_INVALID: defineError(
      400,
      'Invalid password reset link.',
      'The link is wrong, expired or already used. Request a new one with POST /api/auth/forgot-password.',
    ),
    CREDENTIALS_INVALID: defineError(
      401,
      'Invalid email or password.',
      'The response is the same for an unknown address, an address that is not verified yet, and a wrong password. After registering, enter the emailed code with POST /api/auth/verify-otp.',
    ),
    REFRESH_TOKEN_INVALID: defineError(
      401,
      'Invalid refresh token.',
      'The token is unknown, expired, revoked, or was reused after rotation. Reuse ends the session. Log in again.',
    ),
    SIGN_IN_INVALID: defineError(
      401,
      'Invalid sign-in.',
      'The code or ID token is wrong, expired, already used, or belongs to another client. Start again with GET /api/auth/google.',
    ),
    MFA_TOKEN_INVALID: defineError(
      401,
      'Invalid MFA token.',
      'The token is unknown, expired or already used, or the password has changed since. Log in again.',
    ),
    MFA_CODE_INVALID: defineError(
      401,
      'Invalid second-factor code.',
      'The code is wrong or was used before; each code works once. Wait for the next one, or use a recovery code.',
    ),
    IDENTITY_NOT_VERIFIED: defineError(
      403,
      'The provider has not verified the email address.',
      'Verify the address with the identity provider, or register with a password.',
    ),
    MFA_ENROLLMENT_REQUIRED: defineError(
      403,
      'A second factor is required.',
      'The account is in enterprise mode. Enable a second factor with POST /api/auth/mfa/enroll and POST /api/auth/mfa/confirm.',
    ),
    REAUTHENTICATION_REQUIRED: defineError(
      403,
      'A recent login is required.',
      `Log in again and retry within ${formatLifetime('freshSession')}. Refreshing a token does not count.`,
    ),
    TOO_MANY_API_KEYS: defineError(
      409,
      'Too many API keys.',
      'An account can have up to 25 active keys. Revoke one that is no longer used.',
    ),
    API_KEY_ENDED: defineError(
      409,
      'The API key has ended.',
      'A revoked or expired key cannot be rotated. Create another one.',
    ),
    LAST_ADMINISTRATOR: defineError(
      409,
      'The last administrator cannot be removed.',
      'The last administrator who can log in cannot lose the role or the account. Add another administrator first.',
    ),
    ENFORCED_GLOBALLY: defineError(
      409,
      'Enterprise mode is enforced for all accounts.',
      'While ENTERPRISE_MODE is set, enterprise mode cannot be disabled for one account.',
    ),
    PROFILE_EXISTS: defineError(
      409,
      'The profile already exists.',
      'Update it with PUT /api/auth/profile/<user_id>.',
    ),
    IDENTITY_CONFLICT: defineError(
      409,
      'The identity is not linked to this account.',
      'The account with this address is linked to another identity of the same provider, or its user unlinked this one; or the identity belongs to another account. Log in another way, unlink the other identity with DELETE /api/auth/identities/<id>, and link this one with POST /api/auth/identities.',
    ),
    LAST_SIGN_IN_METHOD: defineError(
      409,
      'The last sign-in method cannot be removed.',
      'Set a password first with POST /api/auth/forgot-password.',
    ),
    MFA_ALREADY_ENABLED: defineError(
      409,
      'A second factor is already enabled.',
      'Disable it with DELETE /api/auth/mfa before enrolling another one.',
    ),
    MFA_NOT_ENABLED: defineError(
      409,
      'The second factor is not enabled.',
      `There is no second factor, or no pending enrollment. Start with POST /api/auth/mfa/enroll and confirm within ${formatLifetime('enrollment')}.`,
    ),
  },
  auditActions: {
    USER_REGISTERED: defineAuditAction('LOW', 'USER', 'A user registered an email address.'),
    USER_REGISTRATION_REPEATED: defineAuditAction(
      'LOW',
      'USER',
      'A registration used an address that already has an account.',
    ),
    USER_PRIVILEGE_REQUESTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A registration requested privileges; they were ignored.',
    ),
    OTP_RESENT: defineAuditAction('LOW', 'USER', 'A new one-time code was requested.'),
    OTP_REJECTED: defineAuditAction('MEDIUM', 'USER', 'A wrong one-time code was entered.'),
    EMAIL_VERIFIED: defineAuditAction('LOW', 'USER', 'An email address was verified with a one-time code.'),
    PROFILE_CREATED: defineAuditAction('LOW', 'USER', 'A user created their profile.'),
    PROFILE_READ: defineAuditAction('LOW', 'USER', "An administrator read a user's profile."),
    PROFILE_UPDATED: defineAuditAction('LOW', 'USER', 'A user updated their profile.'),
    PASSWORD_CHANGED: defineAuditAction('HIGH', 'USER', 'A user changed their password.'),
    PASSWORD_CHANGE_REJECTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A password change failed because the current password was wrong.',
    ),
    PASSWORD_RESET_REQUESTED: defineAuditAction('MEDIUM', 'USER', 'A password reset was requested.'),
    PASSWORD_RESET: defineAuditAction('HIGH', 'USER', 'A password was reset with an emailed link.'),
    PASSWORD_RESET_REJECTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A password reset failed because the link was invalid.',
    ),
    ENTERPRISE_MODE_ENABLED: defineAuditAction('HIGH', 'USER', 'Enterprise mode was enabled for a user.'),
    ENTERPRISE_MODE_DISABLED: defineAuditAction(
      'CRITICAL',
      'USER',
      'Enterprise mode was disabled for a user.',
    ),
    MFA_ENROLL_STARTED: defineAuditAction('MEDIUM', 'USER', 'A user started second-factor enrollment.'),
    MFA_ENABLED: defineAuditAction('HIGH', 'USER', 'A user enabled their second factor.'),
    MFA_DISABLED: defineAuditAction('HIGH', 'USER', 'A user disabled their second factor.'),
    MFA_REJECTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A wrong code or password was entered for a second factor.',
    ),
    RECOVERY_CODES_RENEWED: defineAuditAction('HIGH', 'USER', 'A user renewed their recovery codes.'),
    API_KEY_CREATED: defineAuditAction('HIGH', 'USER', 'A user created an API key.'),
    API_KEY_ROTATED: defineAuditAction('HIGH', 'USER', 'A user rotated the token of an API key.'),
    API_KEY_TAKEN_OVER: defineAuditAction(
      'HIGH',
      'USER',
      'A member of an organization took over an API key of another member.',
    ),
    API_KEY_REVOKED: defineAuditAction('HIGH', 'USER', 'A user revoked an API key.'),
    LOGIN_SUCCEEDED: defineAuditAction('LOW', 'SESSION', 'A user logged in.'),
    LOGIN_FAILED: defineAuditAction('MEDIUM', 'SESSION', 'A login failed.'),
    MFA_REQUIRED: defineAuditAction(
      'LOW',
      'USER',
      'The first step of a login succeeded; the second factor is required.',
    ),
    MFA_VERIFIED: defineAuditAction('LOW', 'SESSION', 'A user logged in with their second factor.'),
    RECOVERY_CODE_USED: defineAuditAction('HIGH', 'SESSION', 'A user logged in with a recovery code.'),
    LOGOUT: defineAuditAction('LOW', 'SESSION', 'A user logged out.'),
    SESSION_REFRESHED: defineAuditAction('LOW', 'SESSION', 'A refresh token was rotated.'),
    SESSION_REVOKED: defineAuditAction('MEDIUM', 'SESSION', 'A user revoked one of their sessions.'),
    SESSION_IDLE_ENDED: defineAuditAction('LOW', 'SESSION', 'A session ended because it was idle.'),
    REFRESH_TOKEN_REUSED: defineAuditAction(
      'HIGH',
      'SESSION',
      'A rotated refresh token was reused; the session was ended.',
    ),
    IDENTITY_CONFIRMED: defineAuditAction(
      'LOW',
      'USER',
      'An identity provider confirmed the identity of a user.',
    ),
    IDENTITY_SIGN_IN_REJECTED: defineAuditAction(
      'MEDIUM',
      'USER',
      'A sign-in with an identity provider, or linking an identity, was rejected.',
    ),
    IDENTITY_LOGIN_SUCCEEDED: defineAuditAction(
      'LOW',
      'SESSION',
      'A user logged in with an identity provider.',
    ),
    IDENTITY_ACCOUNT_CREATED: defineAuditAction('LOW', 'USER', 'An account was created for an identity.'),
    IDENTITY_LINKED: defineAuditAction('HIGH', 'USER', 'An identity was linked to an existing account.'),
    IDENTITY_UNLINKED: defineAuditAction('HIGH', 'USER', 'A user unlinked an identity from their account.'),
    UNVERIFIED_ACCOUNT_CLEARED: defineAuditAction(
      'HIGH',
      'USER',
      'Data of unverified registrations was removed before an identity was linked.',
    ),
  },
  permissions: {
    'account:use': {
      roles: EVERY_ROLE,
      meaning: 'Read and update your own account and profile.',
      scopes: { read: 'account:read' },
    },
    'account:manage': {
      roles: EVERY_ROLE,
      meaning: 'Manage how you sign in, your sessions and their devices; export and erase your data.',
    },
    'api-keys:own': {
      roles: EVERY_ROLE,
      accountRoles: ROLES_OF_API_KEYS,
      meaning: 'Manage API keys: owners and managers all of the account, editors their own.',
    },
    'profiles:read-any': { roles: ['ADMIN'], meaning: "Read any user's profile." },
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
      table: 'pending_registrations',
      column: 'picture',
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
