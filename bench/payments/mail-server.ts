import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { recordIdOf } from '../../src/providers/mail/mail.port.ts';

/** A mail server on loopback that counts how often it took each mail, by the id in its Message-ID. */
export async function countMails() {
  const taken = new Map<string, number>();
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true, closeTimeout: 100 },
    onData(stream, _session, callback) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
      });
      stream.on('end', () => {
        const id = recordIdOf(/^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? '') ?? '';
        taken.set(id, (taken.get(id) ?? 0) + 1);
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
    taken,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
