import { randomBytes } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import type { Config } from '../../config.ts';
import { createSuppressionUrl } from '../../features/mail/index.ts';
import { createKeyedHashFunction } from '../../shared/crypto/keyed-hash.ts';
import { HttpRequestError, loadHttpClient, sendHttpRequest } from '../../shared/http-client.ts';
import { REALTIME_PATH } from '../../shared/realtime-protocol.ts';
import { readServiceSecrets } from '../../start/open-secrets.ts';
import { checkCertificate } from './certificate-check.ts';
import { type Check, createOk, createProblem, createWarning, type Finding, NOT_CONFIGURED } from './check.ts';
import { describeClockSkew } from './clock-skew.ts';
import { type ReadinessAnswer, requestReadiness } from './request-readiness.ts';

const REQUEST_LIMITS = { timeoutMs: 4_500, maxResponseBytes: 256 * 1024 };

const ADVICE =
  'Check PUBLIC_BASE_URL, its name in the DNS, the proxy and the firewall. This machine must be able to reach it, too.';

/**
 * Checks of PUBLIC_BASE_URL: what clients meet.
 * @param plainUrl its address without encryption
 */
export function createAddressChecks(
  config: Config,
  plainUrl: string | null = getPlainUrl(config.publicBaseUrl),
): Check[] {
  const url = new URL(config.publicBaseUrl);
  let readiness: Promise<ReadinessAnswer> | undefined;
  const getReadiness = () => {
    readiness ??= requestReadiness(config.publicBaseUrl);
    return readiness;
  };
  /** Null without an answer of a service: the check of the address has the reason. */
  const inspect = (run: (answer: ReadinessAnswer) => Promise<Finding | null>) => async () => {
    const answer = await getReadiness().catch(() => null);
    return answer?.service ? run(answer) : null;
  };
  const create = (name: string, run: Check['run']) => ({
    name,
    advice: ADVICE,
    prepare: loadHttpClient,
    run,
  });
  return [
    create('address', async () => judgeReadiness(await getReadiness())),
    create(
      'installation',
      inspect(() => checkInstallation(config)),
    ),
    create(
      'proxy',
      inspect(async (answer) => judgeProxy(answer)),
    ),
    create(
      'WebSocket',
      inspect(() => checkWebSocket(config)),
    ),
    create('clock', async () => {
      const answer = await getReadiness().catch(() => null);
      return answer && judgeClock(answer);
    }),
    create('certificate', async () => (url.protocol === 'https:' ? checkCertificate(url) : NOT_CONFIGURED)),
    create('redirect', async () => (plainUrl === null ? NOT_CONFIGURED : checkRedirect(plainUrl))),
  ];
}

/** Nobody types the plain form of an address with a port. */
function getPlainUrl(publicBaseUrl: string): string | null {
  const { protocol, hostname, port } = new URL(publicBaseUrl);
  return protocol === 'https:' && port === '' ? `http://${hostname}/` : null;
}

function judgeReadiness({ status, service }: ReadinessAnswer): Finding {
  if (!service)
    return createProblem(
      `something else answers with status ${status}`,
      'Check that the proxy passes requests on to HOST and PORT of the service, and that it runs.',
    );
  if (status !== 200)
    return createProblem(
      `the service is not ready: ${service.unavailable.join(', ') || `status ${status}`}`,
      'See the other checks, and the log of the service.',
    );
  if (service.unavailable.length > 0)
    return createWarning(
      `the service is ready, without ${service.unavailable.join(', ')}`,
      'See the other checks, and the log of the service.',
    );
  return createOk('the service is ready');
}

/** Only an installation with the same HASH_SECRET accepts a link of this one, and not an altered one. */
async function checkInstallation(config: Config): Promise<Finding | null> {
  const secrets = await readServiceSecrets(config);
  if (!secrets) return null;
  const hash = createKeyedHashFunction(secrets.HASH_SECRET);
  const link = createSuppressionUrl(
    { fieldCipher: { hash }, publicBaseUrl: config.publicBaseUrl },
    randomBytes(32),
  );
  const [genuine, altered] = await Promise.all(
    [link, `${link}x`].map((address) => sendHttpRequest(address, REQUEST_LIMITS)),
  );
  const statuses = `${genuine?.status}, ${altered?.status}`;
  if (statuses === '200, 404') return createOk('it has the secrets of this configuration');
  if (statuses !== '404, 404' && statuses !== '200, 200')
    return createWarning(
      `cannot be recognized: status ${statuses}`,
      'Repeat this when the service is ready.',
    );
  return createProblem(
    'another installation answers, or one with other secrets',
    'Compare PUBLIC_BASE_URL and HASH_SECRET with those of the running service.',
  );
}

function judgeProxy({ service }: ReadinessAnswer): Finding {
  if (service?.warnings.includes('TRUST_PROXY'))
    return createProblem(
      'requests come through a proxy that TRUST_PROXY does not name',
      'Set TRUST_PROXY to the address of the proxy; see docs/operations/running.md. All its clients share one address and its limits.',
    );
  if (service?.warnings.includes('CLIENT_ADDRESS_HEADER'))
    return createProblem(
      'a proxy of TRUST_PROXY sends no CLIENT_ADDRESS_HEADER, or no readable address in it',
      'Let it send the address of the client, or name another header; see docs/operations/running.md. All its clients count as one.',
    );
  return createOk('no proxy hides the addresses of clients');
}

async function checkWebSocket({ publicBaseUrl }: Config): Promise<Finding> {
  return (await canUpgradeToWebSocket(publicBaseUrl))
    ? createOk('upgrades pass')
    : createProblem(
        'upgrades do not pass',
        'Let the proxy pass Upgrade and Connection on for /api/realtime; see docs/operations/running.md.',
      );
}

/** The header has whole seconds. */
function judgeClock({ date, askedAt, answeredAt }: ReadinessAnswer): Finding | null {
  const at = Date.parse(date ?? '');
  return Number.isNaN(at)
    ? null
    : describeClockSkew('the server', at, { askedAt: askedAt - 1_000, answeredAt });
}

async function checkRedirect(plainUrl: string): Promise<Finding> {
  try {
    const { status, headers } = await sendHttpRequest(plainUrl, {
      ...REQUEST_LIMITS,
      maxResponseBytes: null,
    });
    if (status >= 300 && status < 400 && headers.get('location')?.startsWith('https://'))
      return createOk('http leads to https');
    return createProblem(
      `http returns status ${status} instead of a redirect to https`,
      'Redirect http to https in the proxy.',
    );
  } catch (error) {
    if (!(error instanceof HttpRequestError)) throw error;
    return createWarning(
      `http does not answer (${error.message})`,
      'Redirect http to https in the proxy, for addresses that are typed without https.',
    );
  }
}

/** Check whether an upgrade (RFC 6455, section 4.1) reaches the service; the socket is closed without a credential. */
function canUpgradeToWebSocket(publicBaseUrl: string): Promise<boolean> {
  const url = new URL(publicBaseUrl + REALTIME_PATH);
  const request = url.protocol === 'https:' ? requestEncrypted : requestPlain;
  return new Promise((resolve, reject) => {
    const upgrade = request(url, {
      timeout: REQUEST_LIMITS.timeoutMs,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    upgrade.once('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(true);
    });
    upgrade.once('response', (response) => {
      response.destroy();
      resolve(false);
    });
    upgrade.once('timeout', () =>
      upgrade.destroy(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' })),
    );
    upgrade.once('error', reject);
    upgrade.end();
  });
}
