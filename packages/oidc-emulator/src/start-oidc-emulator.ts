import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface OidcEmulator {
  issuer: string;
  clientId: string;
  clientSecret: string;
  isEmulator: true;
  close(): Promise<void>;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface Log {
  error(details: object, message: string): void;
}

/** Start a provider at which anyone can sign in as any user, on loopback; never start it in production. */
export async function startOidcEmulator(options: { redirectUri: string; log: Log }): Promise<OidcEmulator> {
  const client = { clientId: 'qr-profile-service', clientSecret: randomBytes(24).toString('base64url') };
  let host = '';
  let loading: Promise<RequestHandler> | undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // Prevents DNS rebinding from other sites.
    if (request.headers.host !== host) {
      response.writeHead(404).end();
      return;
    }
    loading ??= import('./provider.ts').then((loaded) =>
      loaded.createProvider({ ...client, issuer: `http://${host}`, redirectUri: options.redirectUri }),
    );
    (await loading)(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      loading = undefined;
      options.log.error({ err: error }, 'the OpenID Connect emulator failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  host = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      // Does not keep the process running.
      server.unref();
      const address = server.address();
      resolve(`127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });
  return {
    ...client,
    issuer: `http://${host}`,
    isEmulator: true,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
