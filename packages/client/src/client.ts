import { ApiError } from './errors.ts';
import { KEYLESS_POST_PATHS } from './generated/keyless-post-paths.ts';
import type {
  CallOptions,
  ChangesPath,
  HttpMethod,
  ListItem,
  ListPage,
  ListPath,
  OptionalIfEmpty,
  PathOf,
  RequestOptions,
  ResponseData,
  Schemas,
} from './operation-types.ts';
import {
  type Authentication,
  createAuthentication,
  createMemoryStore,
  type SessionStore,
} from './session.ts';
import { type ReceivedResponse, sendWithRetries } from './transport.ts';

export interface ClientOptions {
  /** Such as `https://qr.example.org`. */
  baseUrl: string;
  /** An API key, or an access token that is refreshed elsewhere; instead of a login. */
  token?: string;
  /** The account that calls act for, of `accounts` of `GET /api/auth/me`; by default the personal one. */
  accountId?: string;
  /** Keeps the session of a login; in memory by default. */
  session?: SessionStore;
  /** For each attempt; 30 seconds by default. */
  timeoutMs?: number;
  /** How often a failed call is repeated; 3 by default. */
  maxRetries?: number;
  /** A longer `Retry-After` is not waited for; a minute by default. */
  maxRetryDelayMs?: number;
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>;
  fetch?: typeof fetch;
}

export interface ApiResponse<Data> {
  data: Data;
  status: number;
  headers: Headers;
}

type Call<Method extends HttpMethod> = <Path extends PathOf<Method>>(
  path: Path,
  ...options: OptionalIfEmpty<RequestOptions<Method, Path>>
) => Promise<ResponseData<Method, Path>>;

export interface SyncOptions<Path extends ChangesPath> extends CallOptions {
  /** The result of the last round; without it the whole list is read. */
  updatedSince?: string | undefined;
  /** Called for each page, one after another. Records can come twice. */
  onPage(page: { updated: ListItem<Path>[]; deleted: Schemas['DeletedRecord'][] }): void | Promise<void>;
}

export interface Client {
  readonly baseUrl: string;
  readonly auth: Authentication;
  get: Call<'get'>;
  post: Call<'post'>;
  put: Call<'put'>;
  patch: Call<'patch'>;
  delete: Call<'delete'>;
  /** Like `get` and the others, with status and headers, such as `ETag`. */
  request<Method extends HttpMethod, Path extends PathOf<Method>>(
    method: Method,
    path: Path,
    ...options: OptionalIfEmpty<RequestOptions<Method, Path>>
  ): Promise<ApiResponse<ResponseData<Method, Path>>>;
  /** Get an answer whose body is not read yet. Its `timeoutMs` includes the reading. */
  download<Path extends PathOf<'get'>>(
    path: Path,
    ...options: OptionalIfEmpty<RequestOptions<'get', Path>>
  ): Promise<Response>;
  /** Iterate over every item of a list; pages are read as needed. */
  iterate<Path extends ListPath>(
    path: Path,
    ...options: OptionalIfEmpty<RequestOptions<'get', Path>>
  ): AsyncGenerator<ListItem<Path>, void, undefined>;
  /**
   * Read what was changed and deleted since the last round.
   * @returns `updatedSince` of the next round, within 30 days
   * @throws ApiError with the code UPDATED_SINCE_TOO_OLD: read the whole list again
   */
  sync<Path extends ChangesPath>(path: Path, options: SyncOptions<Path>): Promise<string>;
}

/** Options of any operation, as the types of a path have been checked. */
interface UntypedOptions extends CallOptions {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  maxRetryDelayMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_MAX_RETRY_DELAY_MS = 60_000;
const MAX_PAGE_ITEMS = 100;
const FIRST_PAGE_CURSOR = 'start';
/** Nothing was changed since, so the answer has only the time of the service. */
const FUTURE = '2099-01-01T00:00:00Z';
const REFRESH_PATH = '/api/auth/refresh-token';

/** Create a client of the service. */
export function createClient(clientOptions: ClientOptions): Client {
  const { token: fixedToken, session = createMemoryStore(), timeoutMs = DEFAULT_TIMEOUT_MS } = clientOptions;
  const { maxRetries = DEFAULT_MAX_RETRIES, headers: commonHeaders, accountId } = clientOptions;
  const baseUrl = clientOptions.baseUrl.replace(/\/+$/, '');
  const { maxRetryDelayMs = DEFAULT_MAX_RETRY_DELAY_MS } = clientOptions;
  // Not as a method, since browsers demand that `this` is the window.
  const sendRequest: typeof fetch = clientOptions.fetch ?? ((input, init) => fetch(input, init));
  const auth = createAuthentication(session, async (path, body, options) => {
    const { data } = await sendWithoutCredential('post', path, { ...options, body });
    return data as never;
  });

  async function send(
    method: HttpMethod,
    path: string,
    options: UntypedOptions,
    isStream = false,
  ): Promise<ReceivedResponse> {
    const { authenticate = true, signal } = options;
    if (!authenticate) return sendWithoutCredential(method, path, options, isStream);
    // The same for the repetition after a refresh.
    const { idempotencyKey = generateIdempotencyKey() } = options;
    const keyed = { ...options, idempotencyKey };
    const token = fixedToken ?? (await auth.getAccessToken({ signal }));
    try {
      return await sendWithoutCredential(method, path, withToken(keyed, token), isStream);
    } catch (error) {
      if (fixedToken !== undefined || token === null) throw error;
      if (!(error instanceof ApiError && error.code === 'UNAUTHENTICATED')) throw error;
      const refreshed = await auth.getAccessToken({ rejected: token, signal });
      return sendWithoutCredential(method, path, withToken(keyed, refreshed), isStream);
    }
  }

  function sendWithoutCredential(
    method: HttpMethod,
    path: string,
    options: UntypedOptions,
    isStream = false,
  ): Promise<ReceivedResponse> {
    const { signal, onUploadProgress } = options;
    const body = hasFile(options.body) ? toForm(options.body) : options.body;
    const isForm = body instanceof FormData;
    const hasKey = method === 'post' && !KEYLESS_POST_PATHS.has(path);
    return sendWithRetries(sendRequest, {
      method: method.toUpperCase(),
      url: baseUrl + fillPath(path, options.path) + formatQuery(options.query),
      headers: {
        accept: 'application/json, */*;q=0.8',
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(hasKey ? { 'idempotency-key': options.idempotencyKey ?? generateIdempotencyKey() } : {}),
        ...(accountId === undefined ? {} : { 'account-id': accountId }),
        ...commonHeaders,
        ...options.headers,
      },
      body: body === undefined || isForm ? body : JSON.stringify(body),
      signal,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      maxRetries: options.maxRetries ?? maxRetries,
      maxRetryDelayMs: options.maxRetryDelayMs ?? maxRetryDelayMs,
      isRepeatable: hasKey || path === REFRESH_PATH || method !== 'post',
      isStream,
      onUploadProgress,
    });
  }

  async function* readPages(path: string, options: UntypedOptions): AsyncGenerator<ListPage> {
    const query = { limit: MAX_PAGE_ITEMS, cursor: FIRST_PAGE_CURSOR, ...options.query };
    for (let cursor: unknown = query.cursor; cursor !== null; ) {
      const { data } = await send('get', path, { ...options, query: { ...query, cursor } });
      const page = data as ListPage;
      yield page;
      const { nextCursor = null } = page.pagination;
      if (nextCursor === cursor) throw new Error('The list does not end: its cursor is repeated.');
      cursor = nextCursor;
    }
  }

  const createCall =
    (method: HttpMethod) =>
    async (path: string, options: UntypedOptions = {}) =>
      (await send(method, path, options)).data;

  const client = {
    baseUrl,
    auth,
    get: createCall('get'),
    post: createCall('post'),
    put: createCall('put'),
    patch: createCall('patch'),
    delete: createCall('delete'),
    async request(method: HttpMethod, path: string, options: UntypedOptions = {}) {
      const { response, data } = await send(method, path, options);
      return { data, status: response.status, headers: response.headers };
    },
    async download(path: string, options: UntypedOptions = {}) {
      return (await send('get', path, options, true)).response;
    },
    async *iterate(path: string, options: UntypedOptions = {}) {
      for await (const { data } of readPages(path, options)) yield* data;
    },
    async sync(path: string, { updatedSince, onPage, ...options }: SyncOptions<ChangesPath>) {
      let next: string | undefined;
      if (updatedSince === undefined) {
        // Before the list is read, so that no change of the meantime is missed.
        const query = { updatedSince: FUTURE, limit: 1 };
        next = ((await send('get', path, { ...options, query })).data as ListPage).pagination
          .nextUpdatedSince;
      }
      const query = updatedSince === undefined ? {} : { updatedSince };
      for await (const { data, deleted = [], pagination } of readPages(path, { ...options, query })) {
        await onPage({ updated: data as ListItem<ChangesPath>[], deleted: [...deleted] });
        next ??= pagination.nextUpdatedSince;
      }
      if (next === undefined) throw new Error('The list has no nextUpdatedSince.');
      return next;
    },
  };
  return client as unknown as Client;
}

function withToken(options: UntypedOptions, token: string | null): UntypedOptions {
  return token === null
    ? options
    : { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } };
}

function fillPath(template: string, values: UntypedOptions['path'] = {}): string {
  // Appended to the origin, "@host", ".host" and "//host" would be another one, which would get the token.
  if (!/^\/(?![/\\])/.test(template)) throw new TypeError(`Invalid path ${template}`);
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(values[name] ?? '');
    // An address with these segments is that of another operation.
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`Invalid ${name} of ${template}`);
    return encodeURIComponent(value);
  });
}

function hasFile(body: unknown): body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null || body instanceof FormData) return false;
  return Object.values(body).some((value) => value instanceof Blob);
}

function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}

function formatQuery(query: UntypedOptions['query'] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) params.append(name, String(one));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Not randomUUID(), which browsers have on https only. */
function generateIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
