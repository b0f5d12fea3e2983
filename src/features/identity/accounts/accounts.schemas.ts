import { Type } from 'typebox';
import { PERMISSIONS, USER_ROLES } from '../../../permissions.ts';
import {
  createWarningsSchema,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  SINGLE_LINE_PATTERN,
  schemaRef,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { MAX_PHONE_CHARACTERS } from '../../../shared/phone.ts';
import { PlanUsage } from '../../billing/index.ts';
import { AccountMembership } from './membership.schemas.ts';
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS } from './password.rules.ts';

export const USER_STATUSES = ['PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED'] as const;

/** For a log-in: text that is no address has no account. */
const EmailInput = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: SINGLE_LINE_PATTERN,
  description: 'Email address.',
});
const EmailAddressInput = Type.String({
  maxLength: 320,
  pattern: SINGLE_LINE_PATTERN,
  format: 'email',
  description: 'Email address.',
});
const NewPasswordInput = Type.String({
  description: `At least ${MIN_PASSWORD_CHARACTERS} characters and at most ${MAX_PASSWORD_BYTES.toLocaleString('en')} bytes; common passwords are rejected. Not normalized.`,
});
export const PasswordInput = Type.String({ maxLength: 4096 });
const NameInput = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: NON_BLANK_LINE_PATTERN,
});
const AccountTypeInput = stringEnum(['INDIVIDUAL', 'ORGANIZATION']);
const OrganizationNameInput = Type.String({ minLength: 1, maxLength: 200, pattern: SINGLE_LINE_PATTERN });
const PhoneInput = Type.String({
  minLength: 3,
  maxLength: MAX_PHONE_CHARACTERS,
  format: 'phone',
  description: 'Phone number, preferably with country code; stored encrypted.',
});
export const LanguageInput = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  description: 'Language for emails and pages (BCP 47).',
});
export const TimeZoneInput = Type.String({
  minLength: 1,
  maxLength: 64,
  format: 'time-zone',
  description: 'IANA time zone.',
});

const profileProperties = {
  firstName: Type.Optional(NameInput),
  lastName: Type.Optional(NameInput),
  accountType: Type.Optional(AccountTypeInput),
  organizationName: Type.Optional(nullable(OrganizationNameInput)),
  phone: Type.Optional(nullable(PhoneInput)),
  language: Type.Optional(LanguageInput),
  timeZone: Type.Optional(TimeZoneInput),
};

export const UserSchema = Type.Object(
  {
    id: Id,
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    accountType: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['INDIVIDUAL', 'ORGANIZATION', null],
    }),
    organizationName: nullable(Type.String()),
    phone: nullable(Type.String()),
    language: Type.String(),
    timeZone: Type.String(),
    role: stringEnum(USER_ROLES),
    permissions: Type.Array(stringEnum(Object.keys(PERMISSIONS))),
    status: stringEnum(USER_STATUSES),
    profilePictureUrl: nullable(Type.String()),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'User', ...VERSIONED_SCHEMA },
);

export const NewProfileResponse = Type.Object(
  {
    ...UserSchema.properties,
    organizationId: nullable(
      Type.String({ description: 'The organization that was created for an ORGANIZATION; else null.' }),
    ),
  },
  { $id: 'NewProfile', ...VERSIONED_SCHEMA },
);

export const DeviceTokenSchema = Type.String({
  description: `Send it with the next login, so that failed attempts of others do not lock out this device. It expires after ${formatLifetime('deviceToken')}, and when the password or second factor changes or all sessions end.`,
});

export const TokenResponse = Type.Object(
  {
    accessToken: Type.String({ description: 'JWT for the Authorization: Bearer header.' }),
    refreshToken: Type.String({ description: 'For POST /api/auth/refresh-token; works once.' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires.' }),
    deviceToken: Type.Optional(DeviceTokenSchema),
    passwordLinkSent: Type.Optional(
      Type.Literal(true, {
        description:
          'Only from POST /api/auth/verify-otp. The account has no password yet; the link in an email chooses it.',
      }),
    ),
    user: schemaRef(UserSchema),
  },
  { $id: 'Tokens' },
);

/** For routes that end all other sessions, and with them the previous device token. */
export const DeviceTokenResponse = Type.Object(
  { done: Type.Literal(true), deviceToken: DeviceTokenSchema },
  { $id: 'DoneOnDevice' },
);

export const RefreshTokenResponse = Type.Omit(TokenResponse, ['deviceToken', 'passwordLinkSent', 'user'], {
  $id: 'RefreshedTokens',
});

export const RegistrationRequest = Type.Object({
  email: EmailAddressInput,
  password: NewPasswordInput,
  ...profileProperties,
});

export const RegistrationResponse = Type.Object(
  {
    email: Type.String(),
    status: Type.Literal('PENDING_VERIFICATION'),
    otpExpiresAt: Timestamp,
    resendAfterSeconds: Type.Integer({
      description: 'Seconds until clients should offer to resend the code.',
    }),
    warnings: Type.Optional(
      Type.Unsafe<'PICTURE_NOT_STORED'[]>({
        ...createWarningsSchema('PICTURE_NOT_STORED'),
        description:
          'The picture was not kept: too many came from this network within a day, it is too large when redrawn, or the service was busy. Send it with POST /api/auth/create-profile.',
      }),
    ),
  },
  {
    $id: 'Registered',
    description:
      'The same for addresses with and without an account. Send the mailed code to POST /api/auth/verify-otp next; a login before that is 401.',
  },
);

export const OtpVerificationRequest = Type.Object({
  email: EmailInput,
  otp: Type.String({ pattern: '^[0-9]{6}$', description: 'Six-digit code from the email.' }),
  password: Type.Optional(
    Type.String({ maxLength: 4096, description: 'That of your registration. Needed if there were several.' }),
  ),
});

export const EmailAddressRequest = Type.Object({ email: EmailAddressInput });

export const UserProfileRequest = Type.Object(profileProperties);

export const NewUserProfileRequest = Type.Object(profileProperties, {
  description:
    '`firstName` and `lastName` are required, and `organizationName` for an ORGANIZATION, unless they were sent at registration.',
});

export const LogInRequest = Type.Object({
  email: EmailInput,
  password: PasswordInput,
  deviceToken: Type.Optional(Type.String({ maxLength: 200 })),
});

export const RefreshTokenRequest = Type.Object({
  refreshToken: Type.String({ minLength: 1, maxLength: 4096 }),
});

export const PasswordResetRequest = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  password: NewPasswordInput,
});

export const PasswordChangeRequest = Type.Object({
  currentPassword: PasswordInput,
  newPassword: NewPasswordInput,
});

export const SessionSchema = Type.Object(
  {
    id: Id,
    ip: Type.String(),
    userAgent: Type.String(),
    current: Type.Boolean(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
  },
  { $id: 'Session' },
);

const PlanLimits = Type.Record(Type.String(), Type.Unsafe<number | null>({ type: ['integer', 'null'] }), {
  description: 'Limits by name; null means unlimited.',
});

export const CurrentUserResponse = Type.Object(
  {
    user: schemaRef(UserSchema),
    nextStep: Type.Unsafe<'ENROLL_MFA' | 'CREATE_PROFILE' | null>({
      type: ['string', 'null'],
      enum: ['ENROLL_MFA', 'CREATE_PROFILE', null],
    }),
    accounts: Type.Array(AccountMembership, {
      description: 'Accounts that the user acts for, the personal one first.',
    }),
    package: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    limits: PlanLimits,
    usage: PlanUsage,
  },
  { $id: 'Me' },
);
