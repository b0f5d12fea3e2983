import { Type } from 'typebox';
import { Id, nullable, Timestamp } from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';

const CodeChallenge = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description:
    'PKCE code challenge (RFC 7636, S256). POST /api/auth/google/exchange then requires the code verifier. Required for clients on another origin, which do not receive cookies.',
});

export const SignInStartQuery = Type.Object({ codeChallenge: Type.Optional(CodeChallenge) });

export const SignInStartResponse = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether an identity provider is configured.' }),
    authorizationUrl: nullable(
      Type.String({
        description: `URL to open within ${formatLifetime('signInAttempt')}; null without a provider. In development it leads to an emulator.`,
      }),
    ),
  },
  { $id: 'SignInStart' },
);

const ofProvider = (description: string) => Type.Optional(Type.String({ description }));

/** Providers may add parameters; only code, state, iss and error are used. */
export const SignInCallbackQuery = Type.Object(
  {
    iss: ofProvider('Issuer of the provider (RFC 9207).'),
    code: ofProvider('Authorization code of the provider.'),
    scope: ofProvider('Granted scopes; not used.'),
    authuser: ofProvider('Sent by Google; not used.'),
    prompt: ofProvider('Sent by Google; not used.'),
    state: ofProvider('The `state` of the sign-in.'),
    error: ofProvider('Why the provider refused the sign-in.'),
  },
  { additionalProperties: true },
);

export const SignInCodeExchangeRequest = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'From the URL fragment of the front end.',
  }),
  codeVerifier: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description:
        'PKCE code verifier. Required if the sign-in started with a `codeChallenge`, otherwise rejected: then the cookie of the code is required.',
    }),
  ),
});

export const IdTokenSignInRequest = Type.Object({
  idToken: Type.String({ minLength: 1, maxLength: 16_384, description: 'ID token (JWT) of the provider.' }),
  nonce: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Nonce of the token request; required if the token contains one.',
    }),
  ),
});

export const IdentitySchema = Type.Object(
  {
    id: Id,
    issuer: Type.String({ description: 'Identity provider; `sandbox` is the development emulator.' }),
    email: Type.String({ description: 'Email address at the provider when it was linked.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
  },
  { $id: 'Identity' },
);
