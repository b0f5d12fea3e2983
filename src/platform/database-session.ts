import type pg from 'pg';

/**
 * Settings that statements rely on. Prisma writes timestamps without a zone and reads ISO dates. JIT compiles the
 * roll-up's statement for 12 s, and then runs it in 0.04 s.
 */
const REQUIRED_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  search_path: 'public',
  jit: 'off',
} as const;

/** Below the time limit of a transaction, so that nothing commits after it. */
export const STATEMENT_TIMEOUT_MS = 8_000;

/** A transaction of a lost process ends, and its locks with it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

const SETTINGS = {
  application: {
    ...REQUIRED_SETTINGS,
    statement_timeout: `${STATEMENT_TIMEOUT_MS}ms`,
    idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_TIMEOUT_MS}ms`,
  },
  owner: { ...REQUIRED_SETTINGS, statement_timeout: '0' },
} as const;

export type SessionRole = keyof typeof SETTINGS;

/** A pooler, the URL, the role or the database gives sessions settings with which data would be stored wrongly. */
export class DatabaseSessionError extends Error {
  readonly isPooled: boolean;

  constructor(problems: readonly string[], { isPooled = false } = {}) {
    const advice = isPooled ? ' Run RECONNECT in the pooler if its connections are older than they.' : '';
    super(
      `The database session has ${problems.join(', ')}. Check the pooler, the URL's parameters, ` +
        `and the settings of the role and the database (ALTER ROLE … SET, ALTER DATABASE … SET).${advice}`,
    );
    this.name = 'DatabaseSessionError';
    this.isPooled = isPooled;
  }
}

export function listSessionSettings(role: SessionRole): [name: string, value: string][] {
  return Object.entries(SETTINGS[role]);
}

/** Format the settings as the startup parameter `options`, after those of the URL: the last one counts. */
export function formatSessionOptions(role: SessionRole, urlOptions: string): string {
  const flags = Object.entries(SETTINGS[role]).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  return [urlOptions, ...flags].filter(Boolean).join(' ');
}

const SESSION_SQL = `SELECT name, setting, CASE unit WHEN 'ms' THEN setting || 'ms' ELSE setting END AS value
  FROM pg_settings WHERE name = ANY($1::text[])`;

/** @throws DatabaseSessionError naming each setting that differs */
export async function verifyDatabaseSession(
  client: Pick<pg.ClientBase, 'query'>,
  role: SessionRole,
  options: { isPooled?: boolean } = {},
): Promise<void> {
  const expected = Object.entries(SETTINGS[role]);
  const { rows } = await client.query<{ name: string; value: string }>(SESSION_SQL, [
    expected.map(([name]) => name),
  ]);
  const actual = new Map(rows.map(({ name, value }) => [name.toLowerCase(), value]));
  const problems = expected.flatMap(([name, value]) => {
    const found = actual.get(name.toLowerCase()) ?? '';
    return isSameSetting(found, value) ? [] : [`${name} = ${found} instead of ${value}`];
  });
  if (problems.length > 0) throw new DatabaseSessionError(problems, options);
}

function isSameSetting(found: string, expected: string): boolean {
  // DateStyle shows the order of day and month, in which nothing is written.
  if (expected.startsWith('ISO')) return found.startsWith('ISO');
  return found === expected || (expected === '0' && found === '0ms');
}
