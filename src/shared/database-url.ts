import { isLoopbackHost } from './public-address.ts';

/** Parameter of libpq: which of several hosts may be used. */
const TARGET_PARAMETER = 'target_session_attrs';

const TLS_PARAMETER = 'sslmode';

/** All but these two verify the certificate and the host; node-postgres and libpq disagree about the others. */
const UNVERIFIED_TLS_MODES = ['disable', 'no-verify'];
const VERIFIED_TLS_MODES = ['prefer', 'require', 'verify-ca', 'verify-full'];

/** Parameter of node-postgres that weakens the verified modes to those of libpq. */
const WEAKENING_PARAMETER = 'uselibpqcompat';

const URL_PARTS_PATTERN =
  /^(?<start>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#]*)(?<path>[^?#]*)(?<query>\?[^#]*)?/;

export interface DatabaseAddress {
  /** One URL for each host, in order. */
  hostUrls: readonly string[];
  /** `options` of the URL: session settings as flags of `postgres`. */
  options: string;
  user: string;
}

/**
 * Parse a PostgreSQL URL, also with several hosts: `postgres://user@one:5432,two:5432/database`.
 * @throws TypeError for a host, port or parameter that is no part of a URL
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const { start = '', hosts = '', path = '', query = '' } = URL_PARTS_PATTERN.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  const options = parameters.getAll('options').join(' ');
  parameters.delete('options');
  parameters.delete(TARGET_PARAMETER);
  parameters.delete(WEAKENING_PARAMETER);
  const tlsMode = parameters.get(TLS_PARAMETER);
  if (tlsMode !== null) parameters.set(TLS_PARAMETER, toExactTlsMode(tlsMode));
  // Not encoded as a form: a plus sign would become part of the value.
  const rest = parameters.size > 0 ? `?${parameters.toString().replaceAll('+', '%20')}` : '';
  const hostUrls = hosts.split(',').map((host) => `${start}${host}${path}${rest}`);
  const [user = ''] = hostUrls.map((hostUrl) => decodeURIComponent(new URL(hostUrl).username));
  return { hostUrls, options, user };
}

/** Whether a URL names another host and does not say if the connection is encrypted. */
export function isTlsUndecided(url: string): boolean {
  const { query = '' } = URL_PARTS_PATTERN.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  if (parameters.has(TLS_PARAMETER)) return false;
  try {
    const hosts = parseDatabaseUrl(url).hostUrls.map((hostUrl) =>
      decodeURIComponent(new URL(hostUrl).hostname),
    );
    // Without a host in the URL: that of a parameter, or a socket.
    const isLocal = (host: string) =>
      host === '' || host.startsWith('/') || isLoopbackHost(host.toLowerCase());
    return ![...hosts, ...parameters.getAll('host')].every(isLocal);
  } catch {
    return false;
  }
}

function toExactTlsMode(mode: string): string {
  if (UNVERIFIED_TLS_MODES.includes(mode)) return mode;
  if (VERIFIED_TLS_MODES.includes(mode)) return 'verify-full';
  throw new TypeError(`Unknown ${TLS_PARAMETER}`);
}

/** Format the address for a log, without password and parameters. */
export function formatDatabaseAddress(url: string): string {
  const { start = '', hosts = '', path = '' } = URL_PARTS_PATTERN.exec(url)?.groups ?? {};
  return `${start.replace(/^([a-z]+:\/\/[^:@]*):[^@]*@$/, '$1@')}${hosts}${path}`;
}
