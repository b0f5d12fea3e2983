import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSelfSignedCertificate } from './certificate.ts';
import { FCM_RESPONSES, type FcmReply } from './fcm-responses.ts';
import { redirectGoogle } from './redirect-google.mjs';

const FCM_PATH = 'fcm.googleapis.com';
const TOKEN_PATH = 'oauth2.googleapis.com';

const { cert, key } = createSelfSignedCertificate(FCM_PATH, TOKEN_PATH);
const account = generateKeyPairSync('rsa', { modulusLength: 2048 });

const accountEmails = new Set<string>();

/** In the format of its setting. The library keeps the token of an account for the process, whatever server gave it. */
export function createServiceAccount(): string {
  const client_email = `pushes-${accountEmails.size}@the-service.iam.gserviceaccount.com`;
  accountEmails.add(client_email);
  return JSON.stringify({
    type: 'service_account',
    project_id: 'the-service',
    client_email,
    private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
}

/** For tests that do not count tokens. */
export const SERVICE_ACCOUNT = createServiceAccount();

/** Shared by the process, as are the tokens that the library keeps. */
const issued = new Set<string>();

export interface ReceivedPush {
  token: string;
  notification: { title: string; body?: string };
  data: Record<string, string>;
  [platform: string]: unknown;
}

/**
 * Start Google's token server, which checks the service account's signature, and FCM, which checks the access
 * token, on loopback with TLS. Until it is closed, requests of this process go here, and those of
 * processes started with its `environment`.
 */
export async function startFcmServer() {
  const received: ReceivedPush[] = [];
  const bytes: Buffer[] = [];
  const state = {
    reply: (_push: ReceivedPush): FcmReply | Promise<FcmReply> => FCM_RESPONSES.accepted(),
    replyToToken: (): FcmReply => accessToken(),
    tokenCalls: 0,
  };
  function accessToken(): FcmReply {
    const token = `access-token-${issued.size}`;
    issued.add(token);
    const body = JSON.stringify({ access_token: token, expires_in: 3600, token_type: 'Bearer' });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    bytes.push(Buffer.from(`${request.url}\n${request.rawHeaders.join('\n')}\n${text}\n`));
    const { host, authorization } = request.headers;
    if (host === TOKEN_PATH && request.url === '/token') {
      state.tokenCalls += 1;
      const isKnown = isAssertionSigned(new URLSearchParams(text).get('assertion') ?? '');
      return sendJson(
        response,
        isKnown ? state.replyToToken() : { status: 400, body: '{"error":"invalid_grant"}' },
      );
    }
    if (host !== FCM_PATH || request.url !== '/v1/projects/the-service/messages:send')
      return sendJson(response, FCM_RESPONSES.noProject());
    if (!issued.has(authorization?.replace('Bearer ', '') ?? ''))
      return sendJson(response, FCM_RESPONSES.unauthenticated());
    const { message } = JSON.parse(text);
    received.push(message);
    return sendJson(response, await state.reply(message));
  }

  const server = createServer({ cert, key }, (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const restore = redirectGoogle(port, cert);

  return {
    /** Settings for a separate process. */
    environment: {
      FIREBASE_SERVICE_ACCOUNT: SERVICE_ACCOUNT,
      FCM_PORT: String(port),
      FCM_CERTIFICATE: cert,
      NODE_OPTIONS: `--import=${new URL('./redirect-google.mjs', import.meta.url).href}`,
    },
    /** Pushes with a valid access token, in order. */
    received,
    /** The next response, and the number of token requests. */
    state,
    /** Everything received, headers and bodies. */
    getReceivedText: () => Buffer.concat(bytes).toString(),
    async close() {
      restore();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Check a token request (RFC 7523) of the service account for pushes. */
function isAssertionSigned(assertion: string): boolean {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  const { iss, aud, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}');
  const isRight = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    createPublicKey(account.privateKey),
    Buffer.from(signature, 'base64url'),
  );
  const isMeant = String(aud).startsWith(`https://${TOKEN_PATH}/`) || String(aud).includes('googleapis.com');
  return isRight && isMeant && accountEmails.has(iss) && /firebase/.test(scope);
}

function sendJson(response: ServerResponse, reply: FcmReply): void {
  if (reply === null) return;
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(reply.body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
