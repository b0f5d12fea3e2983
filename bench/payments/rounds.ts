import { setTimeout as wait } from 'node:timers/promises';
import { forEachConcurrently, isRandomHit, shuffle } from './for-each-concurrently.ts';
import type { PaymentService } from './payment-service.ts';
import type { Buyer, Shop, ShopPrices, WireEvent } from './shop.ts';

const DELIVERIES_PER_EVENT = 5;
const LATE_EVENT_SHARE = 0.1;

interface RoundsOptions {
  shop: Shop;
  buyers: readonly Buyer[];
  prices: ShopPrices;
  rounds: number;
  kills: number;
  onProgress(text: string): void;
}

/** Deliver the events of each round in order to one service, and out of order under kills to the other. */
export async function deliverRounds(
  { shop, buyers, prices, rounds, kills, onProgress }: RoundsOptions,
  orderedService: PaymentService,
  killedService: PaymentService,
): Promise<{ statuses: number[]; all: WireEvent[] }> {
  const statuses: number[] = [];
  const all: WireEvent[] = [];
  let delayed: WireEvent[] = [];
  let killCount = 0;
  for (let round = 0; round <= rounds; round++) {
    await (round === 0 ? shop.buy(buyers, prices) : shop.simulateRound(buyers, prices));
    const events = await shop.events();
    all.push(...events);
    const isLast = round === rounds;
    const later = isLast ? [] : events.filter(() => isRandomHit(LATE_EVENT_SHARE));
    const now = [...delayed, ...events.filter((event) => !later.includes(event))];
    delayed = later;
    onProgress(`round ${round} of ${rounds}: ${events.length} events of ${buyers.length} people`);
    const deliveries = shuffle(Array.from({ length: DELIVERIES_PER_EVENT }, () => now).flat());
    const targetKills = Math.round((kills * (round + 1)) / (rounds + 1));
    const kill = (async () => {
      for (; killCount < targetKills; killCount++) {
        await wait(Math.random() * 1_000);
        await killedService.killOne();
      }
    })();
    const delivery = forEachConcurrently(deliveries, async (event) => {
      statuses.push((await killedService.post(event)).status);
    });
    for (const event of events) statuses.push((await orderedService.post(event)).status);
    await Promise.all([kill, delivery, orderedService.waitUntilIdle()]);
    onProgress(`  delivered, ${killCount} workers killed`);
  }
  return { statuses, all };
}
