import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  recipients: string[];
  source: string;
}

/** Start a mail server on loopback that stores mails; `options` can make it reject them. */
export async function startSmtpSink(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ recipients, source: Buffer.concat(chunks).toString('latin1') });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const port = await listenOnFreePort(server.listen(0, '127.0.0.1'));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { mails, url: `smtp://127.0.0.1:${port}`, close };
}

/** Start a TCP server with a handler of connections. */
export async function startBareServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  const port = await listenOnFreePort(server.listen(0, '127.0.0.1'));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `smtp://127.0.0.1:${port}`, port, sockets, close };
}

/** Create an SMTP error with a status. */
export function createSmtpError(status: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: status });
}

async function listenOnFreePort(server: Server): Promise<number> {
  if (!server.listening) await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  const address = server.address();
  if (!isAddressInfo(address)) throw new Error('The server does not listen on a port.');
  return address.port;
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
