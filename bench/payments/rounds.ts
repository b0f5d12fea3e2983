import { setTimeout as wait } from 'node:timers/promises';
import type { CustomerService } from './customer-service.ts';
import { byChance, each, shuffled } from './each.ts';
import type { Buyer, Prices, Shop, WireEvent } from './shop.ts';

/** How often each event is delivered to the service that is killed, and the share that comes a round late. */
const TIMES = 5;
const LATE = 0.1;

interface Lives {
  shop: Shop;
  buyers: readonly Buyer[];
  prices: Prices;
  rounds: number;
  kills: number;
  say(text: string): void;
}

/**
 * Has people live for some rounds, and delivers what happens in each to both services: in order, and in disorder with
 * workers killed meanwhile. Answers every event, and what the deliveries were answered.
 */
export async function deliverLives(
  { shop, buyers, prices, rounds, kills, say }: Lives,
  inOrder: CustomerService,
  killed: CustomerService,
): Promise<{ statuses: number[]; all: WireEvent[] }> {
  const statuses: number[] = [];
  const all: WireEvent[] = [];
  let late: WireEvent[] = [];
  let done = 0;
  for (let round = 0; round <= rounds; round++) {
    await (round === 0 ? shop.buy(buyers, prices) : shop.live(buyers, prices));
    const events = await shop.events();
    all.push(...events);
    const isLast = round === rounds;
    const later = isLast ? [] : events.filter(() => byChance(LATE));
    const now = [...late, ...events.filter((event) => !later.includes(event))];
    late = later;
    say(`round ${round} of ${rounds}: ${events.length} events of ${buyers.length} people`);
    const deliveries = shuffled(Array.from({ length: TIMES }, () => now).flat());
    const until = Math.round((kills * (round + 1)) / (rounds + 1));
    const killing = (async () => {
      for (; done < until; done++) {
        await wait(Math.random() * 1_000);
        await killed.killOne();
      }
    })();
    const delivering = each(deliveries, async (event) => {
      statuses.push((await killed.post(event)).status);
    });
    for (const event of events) statuses.push((await inOrder.post(event)).status);
    await Promise.all([killing, delivering, inOrder.quiet()]);
    say(`  delivered, ${done} workers killed`);
  }
  return { statuses, all };
}
