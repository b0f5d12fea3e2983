import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebPushSubscription } from '../../../src/providers/push/push.port.ts';

/** A browser with its keys, as the other side of RFC 8291. */
export interface TestBrowser {
  subscription: WebPushSubscription;
  /** Decrypt the body of a push. */
  decrypt(body: Buffer): string;
}

export interface ReceivedWebPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Start a push service on loopback.
 * @param state.status of the next answers; null never answers
 */
export async function startWebPushServer(close: (stop: () => void) => void) {
  const received: ReceivedWebPush[] = [];
  const state: { status: number | null; headers: Record<string, string> } = { status: 201, headers: {} };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
    if (state.status !== null) response.writeHead(state.status, state.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    state,
    origin,
    createBrowser: () => createTestBrowser(`${origin}/push/${randomBytes(16).toString('hex')}`),
  };
}

export function createTestBrowser(endpoint: string): TestBrowser {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint,
      p256dh: publicKey.toString('base64url'),
      auth: auth.toString('base64url'),
    },
    decrypt(body) {
      const [salt, rest] = [body.subarray(0, 16), body.subarray(20)];
      const keyLength = rest.readUInt8(0);
      const senderKey = rest.subarray(1, 1 + keyLength);
      const ciphertext = rest.subarray(1 + keyLength);
      const derive = (material: Buffer, by: Buffer, info: Buffer, bytes: number) =>
        Buffer.from(hkdfSync('sha256', material, by, info, bytes));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
      const material = derive(ecdh.computeSecret(senderKey), auth, info, 32);
      const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(ciphertext.subarray(-16));
      const text = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]);
      if (text.at(-1) !== 2) throw new Error('The record has no delimiter of the last one.');
      return text.subarray(0, -1).toString();
    },
  };
}

/** Check the signature of a header Authorization (RFC 8292). Returns its claims and the public key; null if it is wrong. */
export function verifyVapid(authorization: string | undefined) {
  const [, head = '', claims = '', signature = '', publicKey = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const key = createPublicKey({ format: 'jwk', key: jwk });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return null;
  return { publicKey, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
}
