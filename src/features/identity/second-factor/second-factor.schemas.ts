import { type Static, Type } from 'typebox';
import { nullable, schemaRef, Timestamp } from '../../../shared/common.schemas.ts';
import { DeviceTokenSchema, TokenResponse } from '../accounts/accounts.schemas.ts';

const TotpCode = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'Six digits from the authenticator app.',
});
const RecoveryCode = Type.String({
  minLength: 16,
  maxLength: 48,
  pattern: '^[A-Za-z0-9 -]+$',
  description: 'A recovery code; case, spaces and hyphens are ignored.',
});
const CurrentPassword = Type.String({
  maxLength: 4096,
  description: 'Current password; omit it if the account has none.',
});

export const MfaChallengeResponse = Type.Object(
  {
    mfaRequired: Type.Literal(true),
    mfaToken: Type.String({ description: 'For POST /api/auth/mfa/verify only; not a credential.' }),
    expiresIn: Type.Integer({ description: 'Seconds until the login expires.' }),
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
    required: Type.Boolean({
      description: 'Whether enterprise mode requires a second factor for this account.',
    }),
    enabledAt: nullable(Timestamp),
    pendingUntil: Type.Unsafe<string | null>({
      ...nullable(Timestamp),
      description: 'When the pending enrollment expires.',
    }),
    recoveryCodesLeft: Type.Integer(),
  },
  { $id: 'MfaState' },
);

export const MfaEnrollmentResponse = Type.Object(
  {
    secret: Type.String({ description: 'Base32 secret for manual entry in an authenticator app.' }),
    otpauthUri: Type.String({ description: 'The secret as otpauth URI.' }),
    qrCodeDataUrl: Type.String({ description: 'The otpauth URI as QR code: a PNG data URL.' }),
    expiresAt: Timestamp,
  },
  { $id: 'MfaEnrollment' },
);

export const RecoveryCodesResponse = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Shown only once. Each code works once.' }) },
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
