import {
  applySubscription,
  type RemoteSubscription,
  type SubscriptionFields,
} from '../../../../src/features/billing/payments/subscription-state.rules.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

const START = new Date('2026-11-01T00:00:00Z');
const NOW = new Date('2026-11-10T00:00:00Z');
const SOLD = { packageId: 'a', version: 1 };
const day = (number: number) => new Date(START.getTime() + number * 86_400_000);

function seenAs(given: Partial<RemoteSubscription> = {}): RemoteSubscription {
  return {
    ...{ id: 'sub_1', interval: 'month', currency: 'EUR', state: 'ACTIVE', startedAt: START },
    ...{ currentPeriodStart: START, currentPeriodEnd: day(30), cancelAtPeriodEnd: false },
    ...{ trialEndsAt: null, canceledAt: null, endedAt: null },
    ...given,
  };
}

/** Apply states in order; returns the row and the notifications. */
function after(seen: readonly RemoteSubscription[], begun: SubscriptionFields | null = null) {
  let facts = begun;
  let version = begun ? 1 : 0;
  const news: string[] = [];
  for (const one of seen) {
    const applied = applySubscription(facts, one, SOLD, { now: NOW, version });
    facts = applied.facts;
    version += applied.isChanged ? 1 : 0;
    for (const { key, event } of applied.notifications) if (!news.includes(key)) news.push(key) && event;
  }
  return { facts, news };
}

const said = (...seen: RemoteSubscription[]) =>
  after(seen).news.map((key) => key.replace('subscription:sub_1:', ''));

t.test('People are told what becomes of what they bought', async (t) => {
  const ended = seenAs({ state: 'CANCELED', endedAt: day(30) });
  t.same(said(seenAs({ state: 'INCOMPLETE' })), []);
  t.same(said(seenAs({ state: 'INCOMPLETE' }), seenAs()), ['started']);
  t.same(said(seenAs({ state: 'INCOMPLETE' }), ended), [], 'what never began does not end');
  t.same(said(ended), [], 'what is over when it is first seen is not told');
  t.same(said(seenAs(), ended), ['started', 'ended']);
  t.same(said(seenAs(), seenAs({ state: 'PAST_DUE' }), seenAs()), ['started'], 'the invoice tells of this');
  t.same(said(seenAs(), seenAs({ state: 'PAUSED' }), seenAs(), seenAs({ state: 'UNPAID' })), [
    ...['started', 'paused:2', 'resumed:3', 'paused:4'],
  ]);
  const ending = `ending:${day(30).getTime() / 1000}`;
  const leaving = seenAs({ cancelAtPeriodEnd: true });
  t.same(said(seenAs(), leaving, seenAs(), leaving), ['started', ending], 'twice for one end is once');
  t.same(said(leaving), ['started', ending], 'and in one look');
  const yearly = seenAs({ interval: 'year' });
  t.same(said(seenAs(), yearly, yearly), ['started', 'changed:2']);
});

t.test('The end of a trial is told three days before, and not of one that is given up', async (t) => {
  const trial = (end: Date, given: Partial<RemoteSubscription> = {}) =>
    said(seenAs({ state: 'TRIALING', trialEndsAt: end, currentPeriodEnd: end, ...given }));
  t.same(trial(day(20)), ['started']);
  t.same(trial(day(12)), ['started', `trial:${day(12).getTime() / 1000}`]);
  t.same(trial(day(12), { cancelAtPeriodEnd: true }), ['started', `ending:${day(12).getTime() / 1000}`]);
  t.same(trial(day(8)), ['started'], 'one that is over');
});

t.test('A price that is not known makes no row, and leaves the package of one', async (t) => {
  const options = { now: NOW, version: 1 };
  t.equal(applySubscription(null, seenAs(), null, options).facts, null);
  const { facts } = after([seenAs()]);
  const paused = applySubscription(facts, seenAs({ state: 'PAUSED' }), null, options).facts;
  t.match(paused, { state: 'PAUSED', packageId: 'a', packageVersion: 1 });
});

const STATES = ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'];
const living = fc
  .record({
    state: fc.constantFrom(...STATES),
    interval: fc.constantFrom('month', 'year'),
    currentPeriodEnd: fc.constantFrom(day(8), day(12), day(30), day(60)),
    cancelAtPeriodEnd: fc.boolean(),
    trialEndsAt: fc.constantFrom(null, day(12), day(14)),
  })
  .map(seenAs);
const life = fc.array(living, { minLength: 1, maxLength: 12 });
const ENDED = seenAs({ state: 'CANCELED', canceledAt: day(20), endedAt: day(20) });

t.test('What was said last is right, however often and after whatever', async () => {
  fc.assert(
    fc.property(life, living, fc.nat(3), (before, last, repeats) => {
      const once = after([last]).facts;
      const more = after([...before, last, ...Array.from({ length: repeats }, () => last)]);
      t.same(more.facts, once);
      const again = applySubscription(more.facts, last, SOLD, { now: NOW, version: 99 });
      t.equal(again.isChanged, false);
      t.ok(
        again.notifications.every(({ key }) => more.news.includes(key)),
        'a repeat tells nothing new',
      );
    }),
  );
});

t.test('an ended subscription stays ended, whatever the order of events', async () => {
  fc.assert(
    fc.property(life, life, (before, later) => {
      const at = after([...before, ENDED]);
      const on = after([...before, ENDED, ...later, ENDED]);
      t.same(on.facts, at.facts);
      t.same(on.facts?.state, 'CANCELED');
      t.same(on.news, at.news, 'and nothing is told after it');
    }),
  );
});
