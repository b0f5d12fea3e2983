import { randomBytes } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import { REALTIME_PATH } from '../../shared/realtime-protocol.ts';

const TIMEOUT_MS = 4_500;

/** Check whether an upgrade (RFC 6455, section 4.1) reaches the service; the socket is closed without a credential. */
export function canUpgradeToWebSocket(publicBaseUrl: string): Promise<boolean> {
  const url = new URL(publicBaseUrl + REALTIME_PATH);
  const request = url.protocol === 'https:' ? requestEncrypted : requestPlain;
  return new Promise((resolve, reject) => {
    const upgrade = request(url, {
      timeout: TIMEOUT_MS,
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
