import Fastify from 'fastify';
import type pg from 'pg';
import {
  generateRefreshTokenSecret,
  hashRefreshTokenSecret,
} from '../../src/features/identity/accounts/refresh-token.ts';
import { insertSession } from '../../src/features/identity/accounts/session.repository.ts';
import { registerAccessTokenSigning } from '../../src/platform/access-token.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { createFieldCipher, type FieldCipher } from '../../src/platform/field-cipher.ts';
import { createPasswordHasher } from '../../src/platform/password-hasher.ts';
import { createFixedKeyRing } from '../../src/shared/crypto/key-ring.ts';
import { parseKeySet } from '../../src/shared/crypto/key-set.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { Secrets } from '../../src/shared/secret-names.ts';
import type { Actor } from './request-plan.ts';
import { VALID_PASSWORD } from './schema-arbitraries.ts';

/** Contained in every private value of the bystander, a user who never sends a request: only staff may see it. */
export const CANARY = 'canary-4f1d9c';

/** Users with an account; the bystander sends nothing. */
export type FuzzUserName = Exclude<Actor, 'anonymous'> | 'bystander';

export interface FuzzUser {
  id: string;
  email: string;
  role: string;
  sessionId: string;
  token: string;
  refreshToken: string;
  tokenSignedAt: number;
}

export interface FuzzServiceAccess {
  ownerUrl: string;
  applicationUrl: string;
  secrets: Secrets;
}

const FUZZ_USERS: Record<FuzzUserName, { role: string; status: string }> = {
  owner: { role: 'USER', status: 'ACTIVE' },
  stranger: { role: 'USER', status: 'ACTIVE' },
  newcomer: { role: 'USER', status: 'VERIFIED' },
  suspended: { role: 'USER', status: 'SUSPENDED' },
  support: { role: 'SUPPORT', status: 'ACTIVE' },
  auditor: { role: 'AUDITOR', status: 'ACTIVE' },
  admin: { role: 'ADMIN', status: 'ACTIVE' },
  expired: { role: 'USER', status: 'ACTIVE' },
  bystander: { role: 'USER', status: 'ACTIVE' },
};

/** A token is renewed after this time; it is valid for 15 minutes. */
const MAX_TOKEN_AGE_MS = 8 * 60_000;

interface FuzzUserServices {
  database: Database;
  owner: pg.Pool;
  fieldCipher: FieldCipher;
  sign: (user: { id: string; role: string }, sessionId: string) => string;
  passwordHash: string;
}

/** Users of a run: created in the database, and reset after requests have changed them. */
export class FuzzUsers {
  private readonly all = new Map<FuzzUserName, FuzzUser>();
  private readonly parts: FuzzUserServices;

  private constructor(parts: FuzzUserServices) {
    this.parts = parts;
  }

  static async make(access: FuzzServiceAccess, owner: pg.Pool): Promise<FuzzUsers> {
    const signer = Fastify();
    await registerAccessTokenSigning(signer, access.secrets.JWT_SECRET);
    const peppers = parseKeySet(access.secrets.PASSWORD_PEPPERS);
    const users = new FuzzUsers({
      database: openDatabase({ url: access.applicationUrl, poolSize: 2, onError: () => {} }),
      owner,
      fieldCipher: createFieldCipher({
        keyRing: createFixedKeyRing(parseKeySet(access.secrets.ENCRYPTION_KEYS ?? '')),
        hashSecret: access.secrets.HASH_SECRET,
      }),
      sign: (user, sessionId) => signer.signAccessToken(user, sessionId, 900),
      passwordHash: await createPasswordHasher({ peppers, cost: 4 }).hash(VALID_PASSWORD),
    });
    for (const name of Object.keys(FUZZ_USERS)) if (isFuzzUserName(name)) await users.reset(name);
    return users;
  }

  close(): Promise<void> {
    return this.parts.database.close();
  }

  find(name: Actor | 'bystander'): FuzzUser | undefined {
    return name === 'anonymous' ? undefined : this.all.get(name);
  }

  ids(): string[] {
    return [...this.all.values()].map(({ id }) => id);
  }

  /** Email addresses of all users who send requests, so that no one logs in as the bystander. */
  emails(): string[] {
    return [...this.all].flatMap(([name, { email }]) => (name === 'bystander' ? [] : [email]));
  }

  async resetAll(): Promise<void> {
    for (const name of this.all.keys()) await this.reset(name);
  }

  async replaceNewUser(): Promise<void> {
    this.all.delete('newcomer');
    await this.reset('newcomer');
  }

  /** Restore role, status, email address, password and session of a user. */
  async reset(name: FuzzUserName): Promise<void> {
    const { role, status } = FUZZ_USERS[name];
    const user = this.all.get(name) ?? (await this.createUser(name));
    const { rowCount } = await this.parts.owner.query(
      `UPDATE users SET status = $2, previous_status = NULL, enterprise_mode = false, role = $3, password_hash = $4, email = $5,
              first_name = coalesce(first_name, 'Ada'), last_name = coalesce(last_name, 'Lovelace'),
              account_type = coalesce(account_type, 'INDIVIDUAL')
       WHERE id = $1 AND users.status <> 'DELETED'`,
      [user.id, status, role, this.parts.passwordHash, user.email],
    );
    // An erased account stays erased; a new user replaces it.
    if (rowCount === 0) {
      if (this.all.get(name) === user) this.all.delete(name);
      return this.reset(name);
    }
    const { rows } = await this.parts.owner.query(
      'SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > now()',
      [user.sessionId],
    );
    try {
      if (rows.length === 0) await this.openSession(user);
    } catch (error) {
      if (await this.isErased(user.id)) return this.reset(name);
      throw error;
    }
    if (rows.length === 0 || Date.now() - user.tokenSignedAt > MAX_TOKEN_AGE_MS) {
      user.token = this.parts.sign(user, user.sessionId);
      user.tokenSignedAt = Date.now();
    }
    if (name === 'expired') await this.endSessions(user);
  }

  async isErased(id: string): Promise<boolean> {
    const { owner } = this.parts;
    const { rows } = await owner.query(`SELECT FROM users WHERE id = $1 AND status = 'DELETED'`, [id]);
    return rows.length > 0;
  }

  private async createUser(name: FuzzUserName): Promise<FuzzUser> {
    const { role } = FUZZ_USERS[name];
    const id = generateId();
    const email = `${name}-${id.slice(-6)}@example.org`;
    const user = { id, email, role, sessionId: '', token: '', refreshToken: '', tokenSignedAt: 0 };
    await this.parts.owner.query(
      `INSERT INTO users (id, email, password_hash, status, role, first_name, last_name, account_type)
       VALUES ($1, $2, $3, 'ACTIVE', $4, $5, 'Lovelace', 'INDIVIDUAL')`,
      [id, email, this.parts.passwordHash, role, name === 'bystander' ? CANARY : 'Ada'],
    );
    this.all.set(name, user);
    return user;
  }

  private async openSession(user: FuzzUser): Promise<void> {
    user.refreshToken = generateRefreshTokenSecret();
    const tokenHash = hashRefreshTokenSecret(this.parts.fieldCipher, user.refreshToken);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000);
    const session = {
      userId: user.id,
      ip: '127.0.0.1',
      userAgent: 'fuzz',
      network: '127.0.0.0',
      tokenHash,
      expiresAt,
    };
    const { database } = this.parts;
    user.sessionId = await runWithRetries(() => database.transaction((tx) => insertSession(tx, session)));
  }

  private async endSessions({ id }: FuzzUser): Promise<void> {
    const end = `UPDATE sessions SET ended_at = now(), end_reason = 'LOGOUT' WHERE user_id = $1 AND ended_at IS NULL`;
    await this.parts.owner.query(end, [id]);
  }
}

/** Retry: on a busy machine a connection may time out. */
async function runWithRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 5; ; attempts -= 1) {
    try {
      return await work();
    } catch (error) {
      if (attempts === 0) throw error;
    }
  }
}

function isFuzzUserName(name: string): name is FuzzUserName {
  return name in FUZZ_USERS;
}
