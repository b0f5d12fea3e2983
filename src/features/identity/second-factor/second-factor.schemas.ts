import { type Static, Type } from 'typebox';
import { nullable, schemaRef, Timestamp } from '../../../shared/common.schemas.ts';
import { DeviceTokenSchema, TokenResponse } from '../accounts/accounts.schemas.ts';

const TotpCode = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'Six digits of the authenticator application.',
});
const RecoveryCode = Type.String({
  minLength: 16,
  maxLength: 40,
  pattern: '^[A-Za-z0-9 -]+$',
  description: 'One of the recovery codes; capitals, blanks and hyphens do not matter.',
});
const CurrentPassword = Type.String({
  maxLength: 4096,
  description: 'The current one; left out by who has none.',
});

export const MfaChallengeResponse = Type.Object(
  {
    mfaRequired: Type.Literal(true),
    mfaToken: Type.String({ description: 'For POST /api/auth/mfa/verify alone; it is no credential.' }),
    expiresIn: Type.Integer({ description: 'Seconds until the log-in has to begin again.' }),
  },
  { $id: 'MfaStep' },
);

export const LogInResponse = Type.Unsafe<Static<typeof TokenResponse> | Static<typeof MfaChallengeResponse>>({
  $id: 'LogInAnswer',
  anyOf: [schemaRef(TokenResponse), schemaRef(MfaChallengeResponse)],
});

export const MfaStateResponse = Type.Object(
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

export const MfaEnrollmentResponse = Type.Object(
  {
    secret: Type.String({ description: 'In base32, to be typed into an authenticator application.' }),
    otpauthUri: Type.String({ description: 'The same as an address that such an application opens.' }),
    qrCodeDataUrl: Type.String({ description: 'The same as a picture to scan: a PNG as data URL.' }),
    expiresAt: Timestamp,
  },
  { $id: 'MfaEnrollment' },
);

export const RecoveryCodesResponse = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Shown only now; each works once.' }) },
  { $id: 'RecoveryCodes' },
);

export const MfaConfirmationResponse = Type.Object(
  { ...RecoveryCodesResponse.properties, deviceToken: DeviceTokenSchema },
  { $id: 'MfaConfirmed' },
);

export const MfaEnrollmentRequest = Type.Object({ password: Type.Optional(CurrentPassword) });

export const MfaConfirmationRequest = Type.Object({ code: TotpCode });

const proofProperties = { code: Type.Optional(TotpCode), recoveryCode: Type.Optional(RecoveryCode) };

export const SecondFactorProofRequest = Type.Object(proofProperties);

export const MfaDisableRequest = Type.Object({
  password: Type.Optional(CurrentPassword),
  ...proofProperties,
});

export const MfaVerificationRequest = Type.Object({
  mfaToken: Type.String({ minLength: 1, maxLength: 200 }),
  ...proofProperties,
  deviceToken: Type.Optional(Type.String({ maxLength: 200 })),
});
