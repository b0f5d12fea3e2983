import { setTimeout as wait } from 'node:timers/promises';
import { startMailServer } from '../mail-server.ts';
import type { BenchedService } from '../service-process.ts';
import type { DeliveryCounter, ReceivedDelivery } from './deliveries.ts';
import { repeatConcurrently } from './repeat-concurrently.ts';

/** Mean response time of the mail server: a kill finds most workers with one mail in flight. */
const MEAN_RESPONSE_MS = 150;

/** Start a mail server on loopback that counts mails by recipient. An event is a registration. */
export async function startMailDeliveries(): Promise<DeliveryCounter> {
  const received = new Map<string, ReceivedDelivery>();
  let inFlight = 0;
  const server = await startMailServer(async ({ text, recipients }) => {
    inFlight += 1;
    await wait(Math.random() * 2 * MEAN_RESPONSE_MS);
    inFlight -= 1;
    const key = /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '';
    for (const address of recipients) {
      const delivery = received.get(address) ?? { count: 0, keys: new Set() };
      delivery.count += 1;
      delivery.keys.add(key);
      received.set(address, delivery);
    }
  });
  return {
    name: 'mails',
    queue: 'mail',
    environment: { SMTP_URL: server.url },
    received,
    countInFlight: () => inFlight,
    createEvents: registerUsers,
    close: server.close,
  };
}

async function registerUsers({ port }: BenchedService, events: number): Promise<Set<string>> {
  const addresses = new Set<string>();
  await repeatConcurrently(events, async (number) => {
    const email = `event-${number}@example.org`;
    const response = await fetch(`http://localhost:${port}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a lighthouse for lost dogs' }),
    });
    if (response.status !== 201) throw new Error(`A registration was answered with ${response.status}.`);
    addresses.add(email);
  });
  return addresses;
}
