import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { BenchedService } from '../service-process.ts';
import { atOnce } from './at-once.ts';
import type { Deliveries, Delivery } from './deliveries.ts';

/** Milliseconds that the mail server takes for a mail in the mean: a kill finds most workers with one in flight. */
const TAKES = 150;

/** A mail server on loopback that counts what it took, by recipient. An event is a registration. */
export async function mailDeliveries(): Promise<Deliveries> {
  const taken = new Map<string, Delivery>();
  let underWay = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, callback) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
      });
      stream.on('end', async () => {
        underWay += 1;
        await wait(Math.random() * 2 * TAKES);
        underWay -= 1;
        const key = /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '';
        for (const { address } of session.envelope.rcptTo) {
          const delivery = taken.get(address) ?? { times: 0, keys: new Set() };
          delivery.times += 1;
          delivery.keys.add(key);
          taken.set(address, delivery);
        }
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
    name: 'mails',
    queue: 'mail',
    environment: { SMTP_URL: `smtp://127.0.0.1:${address.port}` },
    taken,
    underWay: () => underWay,
    make: register,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Registers so many people. Answers their addresses. */
async function register({ port }: BenchedService, events: number): Promise<Set<string>> {
  const addresses = new Set<string>();
  await atOnce(events, async (number) => {
    const email = `event-${number}@example.org`;
    const answer = await fetch(`http://localhost:${port}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a lighthouse for lost dogs' }),
    });
    if (answer.status !== 201) throw new Error(`A registration was answered with ${answer.status}.`);
    addresses.add(email);
  });
  return addresses;
}
