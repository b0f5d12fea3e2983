import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  text: string;
  recipients: string[];
}

export async function startMailServer(take: (mail: ReceivedMail) => void | Promise<void>) {
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true, closeTimeout: 100 },
    onData(stream, session, callback) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
      });
      stream.on('end', async () => {
        await take({ text, recipients: session.envelope.rcptTo.map(({ address }) => address) });
        callback();
      });
    },
  });
  server.on('error', () => {});
  const socket = server.listen(0, '127.0.0.1');
  if (!socket.listening) await once(socket, 'listening');
  const address = socket.address();
  if (typeof address !== 'object' || !address) throw new Error('The mail server does not listen.');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
