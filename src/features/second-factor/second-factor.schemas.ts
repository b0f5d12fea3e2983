import { type Static, Type } from 'typebox';
import { nullable, ref, Timestamp } from '../../shared/common.schemas.ts';
import { DeviceToken, Tokens } from '../accounts/accounts.schemas.ts';

const Code = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'Six digits of the authenticator application.',
});
const RecoveryCode = Type.String({
  minLength: 16,
  maxLength: 40,
  pattern: '^[A-Za-z0-9 -]+$',
  description: 'One of the recovery codes; capitals, blanks and hyphens do not matter.',
});
const Password = Type.String({ maxLength: 4096, description: 'The current one; left out by who has none.' });

/** What a log-in answers where a second factor is needed. */
export const MfaStep = Type.Object(
  {
    mfaRequired: Type.Literal(true),
    mfaToken: Type.String({ description: 'For POST /api/auth/mfa/verify alone; it is no credential.' }),
    expiresIn: Type.Integer({ description: 'Seconds until the log-in has to begin again.' }),
  },
  { $id: 'MfaStep' },
);

/** What a log-in answers: tokens, or the second step. */
export const LogInAnswer = Type.Unsafe<Static<typeof Tokens> | Static<typeof MfaStep>>({
  $id: 'LogInAnswer',
  anyOf: [ref(Tokens), ref(MfaStep)],
});

export const MfaState = Type.Object(
  {
    enabled: Type.Boolean(),
    required: Type.Boolean({ description: 'Whether enterprise mode demands one of this account.' }),
    enabledAt: nullable(Timestamp),
    pendingUntil: Type.Unsafe<string | null>({
      ...nullable(Timestamp),
      description: 'Until when an enrollment waits for its first code.',
    }),
    recoveryCodesLeft: Type.Integer(),
  },
  { $id: 'MfaState' },
);

export const MfaEnrollment = Type.Object(
  {
    secret: Type.String({ description: 'In base32, to be typed into an authenticator application.' }),
    otpauthUri: Type.String({ description: 'The same as an address that such an application opens.' }),
    qrCodeDataUrl: Type.String({ description: 'The same as a picture to scan: a PNG as data URL.' }),
    expiresAt: Timestamp,
  },
  { $id: 'MfaEnrollment' },
);

export const RecoveryCodes = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Shown only now; each works once.' }) },
  { $id: 'RecoveryCodes' },
);

export const MfaConfirmed = Type.Object(
  { ...RecoveryCodes.properties, deviceToken: DeviceToken },
  { $id: 'MfaConfirmed' },
);

export const EnrollRequest = Type.Object({ password: Type.Optional(Password) });

export const ConfirmRequest = Type.Object({ code: Code });

const proof = { code: Type.Optional(Code), recoveryCode: Type.Optional(RecoveryCode) };

export const ProofRequest = Type.Object(proof);

export const DisableRequest = Type.Object({ password: Type.Optional(Password), ...proof });

export const VerifyRequest = Type.Object({
  mfaToken: Type.String({ minLength: 1, maxLength: 200 }),
  ...proof,
  deviceToken: Type.Optional(Type.String({ maxLength: 200 })),
});
