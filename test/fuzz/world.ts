import Fastify from 'fastify';
import pg from 'pg';
import { firstRefreshToken, refreshTokenHash } from '../../src/features/accounts/refresh-token.ts';
import { insertSession } from '../../src/features/accounts/session.repository.ts';
import { decorateAccessTokens } from '../../src/platform/access-token.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { createPasswordHasher } from '../../src/platform/hash-queue.ts';
import { createVault, type Vault } from '../../src/platform/vault.ts';
import { fixedKeyRing } from '../../src/shared/crypto/key-ring.ts';
import { parseKeySet } from '../../src/shared/crypto/key-set.ts';
import { newId } from '../../src/shared/ids.ts';
import type { Secrets } from '../../src/shared/secret-names.ts';
import { PASSWORD } from './from-schema.ts';
import { type Pick, plainName } from './pick.ts';
import type { Actor } from './plan.ts';

/** Stands in every private value of the keeper, a person who never sends a request: nobody but staff may see it. */
export const CANARY = 'canary-4f1d9c';

interface Person {
  id: string;
  email: string;
  role: string;
  status: string;
  sessionId: string;
  token: string;
  refreshToken: string;
  /** When the token was signed, in milliseconds. */
  signedAt: number;
}

type Name = Exclude<Actor, 'anonymous'> | 'keeper';

const PEOPLE: Record<Name, { role: string; status: string }> = {
  owner: { role: 'USER', status: 'ACTIVE' },
  stranger: { role: 'USER', status: 'ACTIVE' },
  newcomer: { role: 'USER', status: 'VERIFIED' },
  suspended: { role: 'USER', status: 'SUSPENDED' },
  support: { role: 'SUPPORT', status: 'ACTIVE' },
  auditor: { role: 'AUDITOR', status: 'ACTIVE' },
  admin: { role: 'ADMIN', status: 'ACTIVE' },
  expired: { role: 'USER', status: 'ACTIVE' },
  keeper: { role: 'USER', status: 'ACTIVE' },
};

/** Milliseconds after which a token is signed anew; it lives for 15 minutes. */
const TOKEN_AGE = 8 * 60_000;
const KEPT = 60;

export interface WorldSettings {
  /** `127.0.0.1:3000`, for the Host header. */
  host: string;
  ownerUrl: string;
  applicationUrl: string;
  secrets: Secrets;
}

type Sign = (user: { id: string; role: string }, sessionId: string) => string;

interface Parts {
  database: Database;
  owner: pg.Pool;
  vault: Vault;
  sign: Sign;
  passwordHash: string;
}

/** People, records and tokens that requests name. People are put right again after what requests did to them. */
export class World {
  readonly host: string;
  private readonly people = new Map<Name, Person>();
  /** Ids by table without underscores, then by owner; under the empty name all of them. */
  private ids = new Map<string, Map<string, string[]>>();
  private readonly tokens = new Map<string, string[]>();
  private readonly tokensOfRecord = new Map<string, Map<string, string>>();
  private readonly files = new Map<string, string[]>();
  private tables: { name: string; owner: string | null }[] = [];

  private readonly database: Database;
  private readonly owner: pg.Pool;
  private readonly vault: Vault;
  private readonly sign: Sign;
  private readonly passwordHash: string;

  private constructor(host: string, parts: Parts) {
    this.host = host;
    this.database = parts.database;
    this.owner = parts.owner;
    this.vault = parts.vault;
    this.sign = parts.sign;
    this.passwordHash = parts.passwordHash;
  }

  static async open(settings: WorldSettings): Promise<World> {
    const database = openDatabase({ url: settings.applicationUrl, poolSize: 2, onError: () => {} });
    const owner = new pg.Pool({ connectionString: settings.ownerUrl, max: 2 });
    owner.on('error', () => {});
    const signer = Fastify();
    await decorateAccessTokens(signer, settings.secrets.JWT_SECRET);
    const passwords = createPasswordHasher({
      peppers: parseKeySet(settings.secrets.PASSWORD_PEPPERS),
      cost: 4,
    });
    const world = new World(settings.host, {
      database,
      owner,
      vault: createVault({
        keyRing: fixedKeyRing(parseKeySet(settings.secrets.ENCRYPTION_KEYS ?? '')),
        hashSecret: settings.secrets.HASH_SECRET,
      }),
      sign: (user, sessionId) => signer.signAccessToken(user, sessionId, 900),
      passwordHash: await passwords.hash(PASSWORD),
    });
    await world.readTables();
    // A full package would hide what comes after the check.
    await owner.query(`UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
    for (const name of Object.keys(PEOPLE) as Name[]) await world.putRight(name);
    return world;
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.owner.end();
  }

  /** The credential of an actor. */
  tokenOf(name: Name | 'anonymous'): string | undefined {
    return name === 'anonymous' ? undefined : this.people.get(name)?.token;
  }

  /** Makes people what they were, signs them in where they are out, and looks which records there are. */
  async putAllRight(): Promise<void> {
    for (const name of this.people.keys()) await this.putRight(name);
    await this.readIds();
  }

  /** Another newcomer takes the place of one who has made a profile. */
  async replaceNewcomer(): Promise<void> {
    this.people.delete('newcomer');
    await this.putRight('newcomer');
  }

  /** Puts one person right. */
  async putRight(name: Name): Promise<void> {
    const { role, status } = PEOPLE[name];
    const before = this.people.get(name);
    const person = before ?? (await this.newPerson(name));
    await this.owner.query(
      `UPDATE users SET status = $2, role = $3, password_hash = $4, email = $5,
              first_name = coalesce(first_name, 'Ada'), last_name = coalesce(last_name, 'Lovelace'),
              account_type = coalesce(account_type, 'INDIVIDUAL')
       WHERE id = $1`,
      [person.id, status, role, this.passwordHash, person.email],
    );
    const { rows } = await this.owner.query(
      'SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > now()',
      [person.sessionId],
    );
    if (rows.length === 0) await this.openSession(person);
    if (Date.now() - person.signedAt > TOKEN_AGE || rows.length === 0) {
      person.token = this.sign(person, person.sessionId);
      person.signedAt = Date.now();
    }
    if (name === 'expired')
      await this.owner.query(
        `UPDATE sessions SET ended_at = now(), end_reason = 'LOGOUT' WHERE user_id = $1`,
        [person.id],
      );
  }

  /** What a place in a plan stands for. `ids` are those that the same request names already. */
  find(pick: Pick, as: Actor, ids: readonly string[]): string {
    const { $pick, of, whose, nth } = pick;
    const choose = (list: readonly string[] | undefined, otherwise: string) =>
      (list && list.length > 0 ? list[nth % list.length] : undefined) ?? otherwise;
    const absent = `${'0'.repeat(16)}${String(nth).padStart(8, '0')}`;
    const person = as === 'anonymous' ? this.people.get('owner') : this.people.get(as);
    switch ($pick) {
      case 'id': {
        const table = this.ids.get(this.tableFor(of));
        if (whose === 'absent' || !table) return absent;
        return whose === 'any'
          ? choose(table.get(''), absent)
          : choose(table.get(person?.id ?? ''), choose(table.get(''), absent));
      }
      case 'token': {
        if (whose === 'absent') return 'A'.repeat(43);
        if (of === 'refreshtoken' && nth % 2 === 0 && person) return person.refreshToken;
        const matching = ids
          .map((id) => this.tokensOfRecord.get(id)?.get(of))
          .find((token) => token !== undefined);
        return (whose === 'own' ? matching : undefined) ?? choose(this.tokens.get(of), 'A'.repeat(43));
      }
      case 'email':
        return whose === 'absent'
          ? `nobody-${nth}@example.org`
          : whose === 'own' && person
            ? person.email
            : choose(this.emails(), 'x@example.org');
      case 'file':
        return choose(this.files.get(of), 'nothing.png');
    }
  }

  /** Remembers the tokens and files that an answer names. */
  learn(body: unknown): void {
    const ids: string[] = [];
    const found: [string, string][] = [];
    const visit = (value: unknown, depth: number): void => {
      if (typeof value !== 'object' || value === null || depth > 4) return;
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === 'string') {
          if (key === 'id') ids.push(inner);
          if (/token$/i.test(key) && key !== 'accessToken') found.push([plainName(key), inner]);
          const file = /\/uploads\/([a-z-]+)\/([^/?]+)$/.exec(inner);
          if (file?.[1] && file[2]) remember(this.files, file[1], file[2]);
        } else visit(inner, depth + 1);
      }
    };
    visit(body, 0);
    for (const [name, token] of found) {
      remember(this.tokens, name, token);
      for (const id of ids) {
        const tokens = this.tokensOfRecord.get(id) ?? new Map();
        this.tokensOfRecord.set(id, tokens.set(name, token));
      }
    }
    if (this.tokensOfRecord.size > 5_000)
      for (const id of [...this.tokensOfRecord.keys()].slice(0, 2_500)) this.tokensOfRecord.delete(id);
  }

  /** Tables that hold the character which stands for text that was lost, with how many rows. */
  async lostText(): Promise<string[]> {
    const found: string[] = [];
    for (const { name } of this.tables) {
      const { rows } = await this.owner.query(
        `SELECT count(*)::int AS n FROM ${name} AS t WHERE position($1 IN t::text) > 0`,
        ['\ufffd'],
      );
      if (rows[0].n > 0) found.push(`${name}: ${rows[0].n}`);
    }
    return found;
  }

  /** Names of the files that rows have. */
  async namedFiles(): Promise<Set<string>> {
    const { rows } = await this.owner.query(`
      SELECT profile_picture AS file FROM users WHERE profile_picture IS NOT NULL
      UNION SELECT image_file FROM qr_codes WHERE image_file IS NOT NULL`);
    return new Set(rows.map(({ file }) => file));
  }

  /** Looks up which records there are, newest first, of each person of this world and of all. */
  async readIds(): Promise<void> {
    const people = [...this.people.values()].map(({ id }) => id);
    const ids = new Map<string, Map<string, string[]>>();
    for (const { name, owner } of this.tables) {
      const byOwner = new Map<string, string[]>();
      const { rows } = await this.owner.query(`SELECT id FROM ${name} ORDER BY id DESC LIMIT 200`);
      byOwner.set(
        '',
        rows.map(({ id }) => id),
      );
      for (const person of owner ? people : []) {
        const own = await this.owner.query(
          `SELECT id FROM ${name} WHERE ${owner} = $1 ORDER BY id DESC LIMIT 20`,
          [person],
        );
        byOwner.set(
          person,
          own.rows.map(({ id }) => id),
        );
      }
      ids.set(name.replaceAll('_', ''), byOwner);
    }
    const users = ids.get('users');
    for (const person of people) users?.set(person, [person]);
    this.ids = ids;
  }

  /** Of everybody who sends requests: nobody is to log in as the keeper. */
  private emails(): string[] {
    return [...this.people].flatMap(([name, { email }]) => (name === 'keeper' ? [] : [email]));
  }

  private async readTables(): Promise<void> {
    const { rows } = await this.owner.query(`
      SELECT t.table_name AS name, min(o.column_name) AS owner
      FROM information_schema.tables AS t
      JOIN information_schema.columns AS c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
       AND c.column_name = 'id' AND c.data_type = 'text'
      LEFT JOIN information_schema.columns AS o ON o.table_schema = t.table_schema AND o.table_name = t.table_name
       AND o.column_name IN ('owner_id', 'user_id')
      WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' GROUP BY t.table_name`);
    this.tables = rows;
  }

  /** The table whose name a word stands for: `qrcode`, `qr-codes`, `profile`, `shares` of documents. */
  private tableFor(word: string): string {
    const plain = plainName(word).replace(/s$/, '');
    const alias = { profile: 'user', owner: 'user', account: 'user' }[plain] ?? plain;
    const names = [...this.ids.keys()];
    return (
      names.find((name) => name === `${alias}s`) ?? names.find((name) => name.endsWith(`${alias}s`)) ?? ''
    );
  }

  private async newPerson(name: Name): Promise<Person> {
    const { role, status } = PEOPLE[name];
    const id = newId();
    const person: Person = {
      ...{ id, email: `${name}-${id.slice(-6)}@example.org`, role, status },
      ...{ sessionId: '', token: '', refreshToken: '', signedAt: 0 },
    };
    await this.owner.query(
      `INSERT INTO users (id, email, password_hash, status, role, first_name, last_name, account_type)
       VALUES ($1, $2, $3, 'ACTIVE', $4, $5, 'Lovelace', 'INDIVIDUAL')`,
      [id, person.email, this.passwordHash, role, name === 'keeper' ? CANARY : 'Ada'],
    );
    this.people.set(name, person);
    return person;
  }

  private async openSession(person: Person): Promise<void> {
    person.refreshToken = firstRefreshToken();
    const tokenHash = refreshTokenHash(this.vault, person.refreshToken);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000);
    person.sessionId = await this.database.transaction((tx) =>
      insertSession(tx, {
        userId: person.id,
        ip: '127.0.0.1',
        userAgent: 'fuzz',
        network: '127.0.0.0',
        tokenHash,
        expiresAt,
      }),
    );
  }
}

function remember(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name) ?? [];
  list.push(value);
  if (list.length > KEPT) list.shift();
  lists.set(name, list);
}
