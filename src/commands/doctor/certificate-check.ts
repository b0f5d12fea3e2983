import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { DAY_MS } from '../../shared/durations.ts';
import { createOk, createProblem, createWarning, type Finding } from './check.ts';

const TIMEOUT_MS = 4_500;
const MIN_DAYS = 14;
/** Of its life, for certificates of days or hours; clients of ACME renew them at a third. */
const MIN_SHARE = 0.25;

interface ServerCertificate {
  /** Why clients refuse it; null where they accept it. */
  refusal: string | null;
  issuedAt: Date;
  expiresAt: Date;
}

/** Check the certificate of an https URL: whether it is trusted, for this name, and for how long. */
export async function checkCertificate(url: URL): Promise<Finding> {
  return judgeCertificate(await readServerCertificate(url));
}

/** Judge a certificate by its trust and by what is left of its life. */
export function judgeCertificate({ refusal, issuedAt, expiresAt }: ServerCertificate): Finding {
  const remainingMs = expiresAt.getTime() - Date.now();
  const days = Math.floor(remainingMs / DAY_MS);
  const end = `until ${expiresAt.toISOString().slice(0, 10)}`;
  if (refusal !== null)
    return createProblem(
      `clients refuse it (${refusal}), valid ${end}`,
      'Install a certificate for the host of PUBLIC_BASE_URL with its chain. For an authority of yours set NODE_EXTRA_CA_CERTS.',
    );
  const lifeMs = expiresAt.getTime() - issuedAt.getTime();
  if (remainingMs < Math.min(MIN_DAYS * DAY_MS, MIN_SHARE * lifeMs))
    return createWarning(
      `valid for ${days} more days, ${end}`,
      'Renew it, and find out why it was not renewed automatically.',
    );
  return createOk(`valid for ${days} more days, ${end}`);
}

function readServerCertificate(url: URL): Promise<ServerCertificate> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    // Only here is a refused certificate read; nothing is sent on the connection.
    const socket = connect({
      host,
      port: Number(url.port) || 443,
      ...(isIP(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
    });
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { authorized, authorizationError } = socket;
      const { valid_from: validFrom, valid_to: validTo } = socket.getPeerCertificate();
      socket.destroy();
      resolve({
        refusal: authorized ? null : String(authorizationError),
        issuedAt: new Date(validFrom),
        expiresAt: new Date(validTo),
      });
    });
  });
}
