import { setTimeout as wait } from 'node:timers/promises';
import { startMailServer } from '../mail-server.ts';
import type { BenchedService } from '../service-process.ts';
import { atOnce } from './at-once.ts';
import type { Deliveries, Delivery } from './deliveries.ts';

/** Milliseconds that the mail server takes for a mail in the mean: a kill finds most workers with one in flight. */
const TAKES = 150;

/** A mail server on loopback that counts what it took, by recipient. An event is a registration. */
export async function mailDeliveries(): Promise<Deliveries> {
  const taken = new Map<string, Delivery>();
  let underWay = 0;
  const server = await startMailServer(async ({ text, recipients }) => {
    underWay += 1;
    await wait(Math.random() * 2 * TAKES);
    underWay -= 1;
    const key = /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '';
    for (const address of recipients) {
      const delivery = taken.get(address) ?? { times: 0, keys: new Set() };
      delivery.times += 1;
      delivery.keys.add(key);
      taken.set(address, delivery);
    }
  });
  return {
    name: 'mails',
    queue: 'mail',
    environment: { SMTP_URL: server.url },
    taken,
    underWay: () => underWay,
    make: register,
    close: server.close,
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
