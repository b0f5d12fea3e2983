import pg from 'pg';
import { parseDatabaseUrl } from '../shared/database-url.ts';
import type { AccountBinding } from './account-binding.ts';
import {
  formatSessionOptions,
  type SessionRole,
  STATEMENT_TIMEOUT_MS,
  verifyDatabaseSession,
} from './database-session.ts';
import { getStatementText } from './describe-statement.rules.ts';
import { isMissingPartition, MissingPartitionError } from './missing-partition.ts';
import { createPrefixedQuery } from './prefixed-query.ts';
import { StatementQueue } from './statement-queue.ts';
import { timeStatement } from './time-statement.ts';
import { canCommitChanges, isOutcomeLost, UnknownOutcomeError } from './unknown-outcome.ts';
import type { WriteHealth } from './write-health.ts';

/** A statement that the server ended by its own timeout is answered before this. */
export const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_500;

/** For statements without a timeout of the server, such as a page of an export. */
export const LONG_ANSWER_TIMEOUT_MS = 120_000;

const CONNECTION_TIMEOUT_MS = 5_000;

const KEEP_ALIVE_DELAY_MS = 10_000;

export interface ClientOptions {
  hostUrl: string;
  /** `options` of the URL. */
  options: string;
  role: SessionRole;
  applicationName: string;
  connectionTimeoutMs?: number;
  answerTimeoutMs?: number;
  /** Behind a pooler of transactions: no startup options, no named statements. */
  isPooled?: boolean;
  onConnectFailure?: (hostUrl: string) => void;
  onSlowStatement?: ((statement: string, ms: number) => void) | undefined;
  /** Send `BEGIN` with the first statement after it. */
  delaysBegin?: boolean;
  /** No answer came in time; the connection is closed. */
  onStalled?: () => void;
  /** Notes whether changes can be stored. */
  writeHealth?: WriteHealth | undefined;
}

export const OWNER_SESSION = { role: 'owner', applicationName: 'qr-profile-service migrations' } as const;

const connectFailures = new WeakSet<object>();

/** Whether an error is why a connection could not be opened, such as that of a certificate. */
export function isConnectFailure(error: object): boolean {
  return connectFailures.has(error);
}

/** A connection that is closed when a statement gets no answer: the peer may be gone without a word. */
export class DatabaseClient extends pg.Client {
  readonly hostUrl: string;
  private readonly defaultAnswerTimeoutMs: number;
  private answerTimeoutMs: number;
  private timer: NodeJS.Timeout | undefined;
  private readonly onConnectFailure: ClientOptions['onConnectFailure'];
  private readonly statements = new StatementQueue();
  private readonly delaysBegin: boolean;

  constructor({ hostUrl, role, isPooled = false, ...settings }: ClientOptions) {
    super({
      connectionString: hostUrl,
      application_name: settings.applicationName,
      connectionTimeoutMillis: settings.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      ...(isPooled ? {} : { options: formatSessionOptions(role, settings.options) }),
    });
    this.hostUrl = hostUrl;
    this.defaultAnswerTimeoutMs =
      settings.answerTimeoutMs ?? (role === 'application' ? ANSWER_TIMEOUT_MS : 0);
    this.answerTimeoutMs = this.defaultAnswerTimeoutMs;
    this.onConnectFailure = settings.onConnectFailure;
    this.delaysBegin = settings.delaysBegin ?? false;
    const stop = () => {
      clearTimeout(this.timer);
      this.timer = undefined;
    };
    // A server can end a connection between two users of the pool, when nobody listens. The next statement fails.
    this.on('error', () => undefined);
    this.on('drain', stop);
    this.on('end', stop);
    const server = { 'server.address': this.host, 'server.port': this.port };
    const startTimer = () => {
      stop();
      if (this.answerTimeoutMs === 0) return;
      this.timer = setTimeout(() => {
        // With a statement under way this destroys the socket, which rejects the statement.
        this.end().catch(() => undefined);
        settings.onStalled?.();
      }, this.answerTimeoutMs);
    };
    // As a property: an override would repeat the eight signatures.
    Object.defineProperty(this, 'query', {
      value: (statement: unknown, ...rest: unknown[]) => {
        const knownStatus = this.getTransactionStatus();
        const step = this.delaysBegin
          ? this.statements.getNextStep(getStatementText(statement), knownStatus)
          : ({ kind: 'SEND', prefix: [], status: knownStatus } as const);
        if (step.kind === 'ANSWER') return answerNow(rest);
        startTimer();
        if (step.kind === 'SEND_AND_ANSWER') {
          const noteEnd = () => this.statements.noteEnd();
          super.query(getStatementText(statement)).then(noteEnd, noteEnd);
          return answerNow(rest);
        }
        const { prefix, status } = step;
        const sent = isPooled ? withoutName(statement) : statement;
        const send = (args: readonly unknown[]) =>
          prefix.length > 0
            ? this.sendWithPrefix(prefix, status === 'I', sent, args)
            : Reflect.apply(pg.Client.prototype.query, this, [sent, ...args]);
        const toFinalError = (error: unknown): unknown => {
          settings.writeHealth?.noteFailure(statement, error);
          if (isMissingPartition(error)) return new MissingPartitionError(error);
          if (!isOutcomeLost(error) || !canCommitChanges(statement, status)) return error;
          settings.writeHealth?.noteUnknownOutcome();
          return new UnknownOutcomeError(error);
        };
        const onSuccess = (answer: unknown) => settings.writeHealth?.noteSuccess(statement, status, answer);
        const { onSlowStatement } = settings;
        return timeStatement(statement, rest, { send, server, onSlowStatement, onSuccess, toFinalError });
      },
    });
  }

  /** Bind each transaction, and each statement outside one, until it is set to null. */
  setBinding(binding: AccountBinding | null): void {
    this.statements.binding = binding;
  }

  getBinding(): AccountBinding | null {
    return this.statements.binding;
  }

  private sendWithPrefix(
    prefix: readonly string[],
    isLone: boolean,
    statement: unknown,
    args: readonly unknown[],
  ): unknown {
    if (isSubmittable(statement)) return this.sendStream(prefix, isLone, statement, args);
    const query = statement as string | pg.QueryConfig;
    const values = Array.isArray(args[0]) ? args[0] : undefined;
    const callback = args.at(-1);
    if (isCallback(callback)) return this.sendPrefixed(createPrefixedQuery(prefix, query, values, callback));
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, result?: unknown) => (error ? reject(error) : resolve(result));
      this.sendPrefixed(createPrefixedQuery(prefix, query, values, answer));
    });
  }

  /** A stream cannot share its round trip: outside a transaction it gets one. */
  private sendStream(
    prefix: readonly string[],
    isLone: boolean,
    stream: unknown,
    args: readonly unknown[],
  ): unknown {
    const beginning = isLone ? ['BEGIN', ...prefix] : prefix;
    super.query(beginning.join('; ')).catch(() => undefined);
    const result = Reflect.apply(pg.Client.prototype.query, this, [stream, ...args]);
    if (isLone) {
      const noteEnd = () => this.statements.noteEnd();
      this.statements.noteEndSent();
      super.query('COMMIT').then(noteEnd, noteEnd);
    }
    return result;
  }

  private sendPrefixed({ query, answer }: ReturnType<typeof createPrefixedQuery>): void {
    Reflect.apply(pg.Client.prototype.query, this, [query, answer]);
  }

  /** Set it from the next statement on, or return to the default. */
  setAnswerTimeout(ms?: number): void {
    this.answerTimeoutMs = ms ?? this.defaultAnswerTimeoutMs;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (!callback) {
      return super.connect().catch((error: Error) => {
        this.noteConnectFailure(error);
        throw error;
      });
    }
    super.connect((error: Error | null) => {
      if (error) this.noteConnectFailure(error);
      callback(error as Error);
    });
    return undefined;
  }

  private noteConnectFailure(error: Error): void {
    connectFailures.add(error);
    this.onConnectFailure?.(this.hostUrl);
  }
}

type Callback = (error: Error | null, result?: unknown) => void;

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

function isSubmittable(statement: unknown): boolean {
  return typeof statement === 'object' && statement !== null && 'submit' in statement;
}

/** Answer a statement that returns no rows. */
function answerNow(args: readonly unknown[]): Promise<object> | undefined {
  const result = { command: '', rowCount: 0, oid: 0, rows: [], fields: [] };
  const callback = args.at(-1);
  if (!isCallback(callback)) return Promise.resolve(result);
  process.nextTick(callback, null, result);
  return undefined;
}

/** The next statement of a pooled session may run on another connection, which does not know the name. */
function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement) || 'submit' in statement)
    return statement;
  const { name: _, ...rest } = statement;
  return rest;
}

type SessionOptions = Pick<ClientOptions, 'role' | 'applicationName'>;

/** Connect to the first host that accepts, and check the session. @throws what the last host answered */
export async function connectDatabaseClient(url: string, session: SessionOptions): Promise<DatabaseClient> {
  const { hostUrls, options } = parseDatabaseUrl(url);
  let failure: unknown;
  for (const hostUrl of hostUrls) {
    const client = new DatabaseClient({ ...session, hostUrl, options });
    try {
      await client.connect();
      await verifyDatabaseSession(client, session.role);
      if (hostUrls.length === 1 || (await isWritable(client))) return client;
      failure = new ReadOnlyHostError();
    } catch (error) {
      failure = error;
    }
    client.end().catch(() => undefined);
  }
  throw failure;
}

export type DatabaseHost = Pick<ClientOptions, 'hostUrl' | 'options'>;

/** Find the host of a URL that accepts writes; a single one is not asked. */
export async function findWritableHost(url: string, session: SessionOptions): Promise<DatabaseHost> {
  const { hostUrls, options } = parseDatabaseUrl(url);
  const [onlyHostUrl] = hostUrls.length === 1 ? hostUrls : [];
  if (onlyHostUrl !== undefined) return { hostUrl: onlyHostUrl, options };
  const client = await connectDatabaseClient(url, session);
  await client.end();
  return { hostUrl: client.hostUrl, options };
}

/** Of several hosts only the primary is used. */
export class ReadOnlyHostError extends Error {
  readonly code = '25006';
  constructor() {
    super('The host accepts no writes: it is a standby.');
    this.name = 'ReadOnlyHostError';
  }
}

export async function isWritable(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ readOnly: string }>(
    `SELECT current_setting('transaction_read_only') AS "readOnly"`,
  );
  return rows[0]?.readOnly === 'off';
}
