import { Type } from 'typebox';
import { FILLED_LINE, Id, nullable, ONE_LINE, oneOf, ref, Timestamp } from '../../shared/common.schemas.ts';
import { PERMISSIONS, ROLES } from '../../shared/permissions.ts';
import { PlanUsage } from '../subscriptions/subscriptions.schemas.ts';

/** States of an account. */
export const USER_STATUSES = ['PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED'] as const;

const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: ONE_LINE,
  description: 'E-mail address.',
});
const NewPassword = Type.String({
  description: '8 characters to 1,024 bytes; common passwords are refused. Taken as it is, not normalised.',
});
export const Password = Type.String({ maxLength: 4096 });
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: FILLED_LINE,
});
const AccountType = oneOf(['INDIVIDUAL', 'ORGANIZATION']);
const OrganizationName = Type.String({ minLength: 1, maxLength: 200, pattern: ONE_LINE });
const Phone = Type.String({
  pattern: '^\\+?[0-9][0-9 ()./-]{3,28}$',
  description: 'Telephone number, best with its country code; stored encrypted.',
});
const Language = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  description: 'Language for mails and pages (BCP 47).',
});
const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_+/-]+$',
  description: 'IANA time zone.',
});

const profileFields = {
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  accountType: Type.Optional(AccountType),
  organizationName: Type.Optional(nullable(OrganizationName)),
  phone: Type.Optional(nullable(Phone)),
  language: Type.Optional(Language),
  timeZone: Type.Optional(TimeZone),
};

export const User = Type.Object(
  {
    id: Id,
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    accountType: Type.Unsafe<string | null>({ enum: ['INDIVIDUAL', 'ORGANIZATION', null] }),
    organizationName: nullable(Type.String()),
    phone: nullable(Type.String()),
    language: Type.String(),
    timeZone: Type.String(),
    role: oneOf(ROLES),
    permissions: Type.Array(oneOf(Object.keys(PERMISSIONS))),
    status: oneOf(USER_STATUSES),
    profilePictureUrl: nullable(Type.String()),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'User' },
);

export const DeviceToken = Type.String({
  description:
    'Give it back at the next log-in: others who guess cannot lock this device out. It ends after 180 days, with a new password, a changed second factor, and when all sessions are ended.',
});

export const Tokens = Type.Object(
  {
    accessToken: Type.String({ description: 'JWT for the header Authorization: Bearer.' }),
    refreshToken: Type.String({ description: 'For POST /api/auth/refresh-token, once.' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds until the access token ends.' }),
    deviceToken: Type.Optional(DeviceToken),
    user: ref(User),
  },
  { $id: 'Tokens' },
);

/** What ends every other session, and with them the token that this device had. */
export const DoneOnDevice = Type.Object(
  { done: Type.Literal(true), deviceToken: DeviceToken },
  { $id: 'DoneOnDevice' },
);

export const RefreshedTokens = Type.Omit(Tokens, ['deviceToken', 'user'], { $id: 'RefreshedTokens' });

export const Registration = Type.Object({ email: Email, password: NewPassword, ...profileFields });

export const Registered = Type.Object(
  {
    email: Type.String(),
    status: Type.Literal('PENDING_VERIFICATION'),
    otpExpiresAt: Timestamp,
    resendAfterSeconds: Type.Integer({ description: 'When to offer sending the code again.' }),
  },
  { $id: 'Registered', description: 'The same whether or not the address has an account.' },
);

export const OtpEntry = Type.Object({
  email: Email,
  otp: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits from the mail.' }),
});

export const EmailOnly = Type.Object({ email: Email });

/** create-profile and the change of a profile take the same fields. */
export const ProfileFields = Type.Object(profileFields);

export const LogIn = Type.Object({
  email: Email,
  password: Password,
  deviceToken: Type.Optional(Type.String({ maxLength: 200 })),
});

export const RefreshRequest = Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 4096 }) });

export const PasswordReset = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  password: NewPassword,
});

export const PasswordChange = Type.Object({ currentPassword: Password, newPassword: NewPassword });

export const Session = Type.Object(
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

const Limits = Type.Record(Type.String(), Type.Unsafe<number | null>({ type: ['integer', 'null'] }), {
  description: 'Name of a limit to its number; null is none.',
});

export const Me = Type.Object(
  {
    user: ref(User),
    nextStep: Type.Unsafe<'ENROLL_MFA' | 'CREATE_PROFILE' | null>({
      enum: ['ENROLL_MFA', 'CREATE_PROFILE', null],
    }),
    package: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    limits: Limits,
    usage: PlanUsage,
  },
  { $id: 'Me' },
);
