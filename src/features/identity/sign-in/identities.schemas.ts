import { Type } from 'typebox';
import { Id, nullable, Timestamp } from '../../../shared/common.schemas.ts';

const CodeChallenge = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description:
    'SHA-256 in base64url of a secret of the client (RFC 7636, S256), which POST /api/auth/google/exchange then needs. For clients of another origin, which keep no cookie of the service and cannot do without.',
});

export const SignInQuery = Type.Object({ codeChallenge: Type.Optional(CodeChallenge) });

export const SignInStartResponse = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether an identity provider is configured.' }),
    authorizationUrl: nullable(
      Type.String({
        description:
          'Where the browser goes, within ten minutes. Null where there is nothing to go to; on a laptop without a provider an emulator that says so.',
      }),
    ),
  },
  { $id: 'SignInStart' },
);

const QueryParameter = Type.Optional(Type.String());

/** Providers may add parameters; only code, state, iss and error are used. */
export const CallbackQuery = Type.Object({
  iss: QueryParameter,
  code: QueryParameter,
  scope: QueryParameter,
  authuser: QueryParameter,
  prompt: QueryParameter,
  state: QueryParameter,
  error: QueryParameter,
});

export const CodeExchangeRequest = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'From the fragment of the front end’s address.',
  }),
  codeVerifier: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description:
        'The secret of `codeChallenge`; needed where one was given, refused where none was: then the cookie that came with the code is needed.',
    }),
  ),
});

export const IdTokenSignInRequest = Type.Object({
  idToken: Type.String({ minLength: 1, maxLength: 16_384, description: 'ID token (JWT) of the provider.' }),
  nonce: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The nonce with which the token was asked for; needed where it has one.',
    }),
  ),
});

export const IdentitySchema = Type.Object(
  {
    id: Id,
    issuer: Type.String({ description: 'The provider; `sandbox` is the emulator of a laptop.' }),
    email: Type.String({ description: 'Address at the provider when it was linked.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
  },
  { $id: 'Identity' },
);
