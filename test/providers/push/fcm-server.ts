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

/** The service account that the server knows, as a setting has it. */
export const SERVICE_ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'the-service',
  client_email: 'pushes@the-service.iam.gserviceaccount.com',
  private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
});

/** Access tokens of this process: the library keeps its own beyond the life of a server. */
const issued = new Set<string>();

/** A push as it arrived. */
export interface ReceivedPush {
  token: string;
  notification: { title: string; body?: string };
  data: Record<string, string>;
  [platform: string]: unknown;
}

/**
 * Google's two servers that a push needs, on loopback over TLS: the one for access tokens, which checks what the service
 * account signed, and Firebase Cloud Messaging, which checks the access token and takes a push or answers as it is told.
 * Until it is closed, all that this process asks of them comes here, and all that a process asks that
 * was started with its `environment`.
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
    /** Settings by which the service, as a process of its own, finds the servers. */
    environment: {
      FIREBASE_SERVICE_ACCOUNT: SERVICE_ACCOUNT,
      FCM_PORT: String(port),
      FCM_CERTIFICATE: cert,
      NODE_OPTIONS: `--import=${new URL('./redirect-google.mjs', import.meta.url).href}`,
    },
    /** Pushes that came with a valid access token, in their order. */
    received,
    /** What it answers next, and how often it was asked for an access token. */
    state,
    /** Everything that arrived, heads and bodies. */
    seen: () => Buffer.concat(bytes).toString(),
    async close() {
      restore();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whether a token request is one of the service account, for pushes, by RFC 7523. */
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
  return isRight && isMeant && JSON.parse(SERVICE_ACCOUNT).client_email === iss && /firebase/.test(scope);
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
