import { abortable } from './delay.ts';
import { ApiError, SecondFactorRequiredError } from './errors.ts';
import type { CallOptions, Schemas } from './operation-types.ts';

export interface Session {
  accessToken: string;
  refreshToken: string;
  /** When the access token ends, in milliseconds. */
  expiresAt: number;
}

/** Where the session is kept. Tabs that share one share their logins. */
export interface SessionStore {
  load(): Session | null | Promise<Session | null>;
  save(session: Session | null): void | Promise<void>;
}

export type SecondFactor = { code: string } | { recoveryCode: string };

export interface LogInOptions extends CallOptions {
  email: string;
  password: string;
  /** Of an earlier login on this device: failed attempts of others then do not slow this one down. */
  deviceToken?: string;
  /** Asked only if the account has a second factor. */
  secondFactor?: () => SecondFactor | Promise<SecondFactor>;
}

type Tokens = Schemas['Tokens'];

/** Sends one of the operations that answer with tokens. */
export type SendForTokens = <Answer>(
  path: string,
  body: object,
  options?: CallOptions & { maxRetryDelayMs?: number },
) => Promise<Answer>;

export interface Authentication {
  /** @throws SecondFactorRequiredError without `secondFactor`, ApiError */
  logIn(options: LogInOptions): Promise<Tokens>;
  /** Complete a login whose `mfaToken` is in SecondFactorRequiredError. */
  verifySecondFactor(
    input: SecondFactor & { mfaToken: string; deviceToken?: string },
    options?: CallOptions,
  ): Promise<Tokens>;
  /** Confirm an email address with the code that was mailed to it, and log in. */
  verifyOtp(input: { email: string; otp: string }, options?: CallOptions): Promise<Tokens>;
  /** End the session, here and in the service. */
  logOut(options?: CallOptions): Promise<void>;
  /** Use tokens of another operation, such as a sign-in with a provider. */
  useTokens(tokens: { accessToken: string; refreshToken: string; expiresIn: number }): Promise<void>;
  /** The stored session; null without one. */
  getSession(): Promise<Session | null>;
  /** Get an access token that is valid for a while; null without a session. Concurrent calls share one refresh. */
  getAccessToken(options?: { rejected?: string; signal?: AbortSignal | undefined }): Promise<string | null>;
}

/** A token that ends sooner is refreshed first. */
const MIN_VALIDITY_MS = 30_000;

/** For 30 seconds a refresh token that was used gives the same answer again, so all attempts must end by then. */
const REFRESH_OPTIONS = { timeoutMs: 8_000, maxRetries: 2, maxRetryDelayMs: 2_000 } as const;

export function createMemoryStore(): SessionStore {
  let session: Session | null = null;
  return {
    load: () => session,
    save(changed) {
      session = changed;
    },
  };
}

export function createAuthentication(store: SessionStore, send: SendForTokens): Authentication {
  let refreshing: Promise<Session> | null = null;

  async function useTokens(tokens: {
    accessToken: string;
    refreshToken: string;
    expiresIn: number;
  }): Promise<void> {
    await store.save(toSession(tokens));
  }

  async function sendForSession(path: string, body: object, options?: CallOptions): Promise<Tokens> {
    const tokens = await send<Tokens>(path, body, options);
    await useTokens(tokens);
    return tokens;
  }

  function refresh(): Promise<Session> {
    refreshing ??= refreshOnce().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  async function refreshOnce(): Promise<Session> {
    const previous = await store.load();
    if (!previous) throw new Error('There is no session.');
    const { refreshToken } = previous;
    try {
      const session = toSession(
        await send<Schemas['RefreshedTokens']>('/api/auth/refresh-token', { refreshToken }, REFRESH_OPTIONS),
      );
      // Somebody may have logged in or out in the meantime.
      const current = await store.load();
      if (current?.refreshToken !== refreshToken) return current ?? session;
      await store.save(session);
      return session;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      const current = await store.load();
      if (current && current.refreshToken !== refreshToken) return current;
      await store.save(null);
      throw error;
    }
  }

  return {
    async logIn({ email, password, deviceToken, secondFactor, ...options }) {
      const device = deviceToken === undefined ? {} : { deviceToken };
      const answer = await send<Schemas['LogInAnswer']>(
        '/api/auth/login',
        { email, password, ...device },
        options,
      );
      if (!('mfaRequired' in answer)) {
        await useTokens(answer);
        return answer;
      }
      const { mfaToken } = answer;
      if (!secondFactor) throw new SecondFactorRequiredError(mfaToken);
      return sendForSession(
        '/api/auth/mfa/verify',
        { mfaToken, ...device, ...(await secondFactor()) },
        options,
      );
    },
    verifySecondFactor: (input, options) => sendForSession('/api/auth/mfa/verify', input, options),
    verifyOtp: (input, options) => sendForSession('/api/auth/verify-otp', input, options),
    async logOut(options) {
      const pending = refreshing;
      if (pending) await abortable(pending, options?.signal).catch(() => undefined);
      const session = await store.load();
      await store.save(null);
      if (!session) return;
      const headers = { ...options?.headers, authorization: `Bearer ${session.accessToken}` };
      try {
        await send('/api/auth/logout', {}, { ...options, headers });
      } catch (error) {
        // The session has ended already.
        if (!(error instanceof ApiError && error.status === 401)) throw error;
      }
    },
    useTokens,
    getSession: async () => store.load(),
    async getAccessToken({ rejected, signal } = {}) {
      const session = await store.load();
      if (!session) return null;
      const isValid = session.accessToken !== rejected && session.expiresAt - Date.now() > MIN_VALIDITY_MS;
      return isValid ? session.accessToken : (await abortable(refresh(), signal)).accessToken;
    },
  };
}

function toSession(tokens: { accessToken: string; refreshToken: string; expiresIn: number }): Session {
  const { accessToken, refreshToken, expiresIn } = tokens;
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 };
}
