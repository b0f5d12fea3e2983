import {
  applyRemoteSubscription,
  type RemoteSubscription,
  type SubscriptionFields,
} from '../../../../src/features/billing/payments/subscription-state.rules.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';

const START = new Date('2026-11-01T00:00:00Z');
const NOW = new Date('2026-11-10T00:00:00Z');
const SOLD = { packageId: 'a', version: 1 };
const day = (number: number) => new Date(START.getTime() + number * 86_400_000);

function createRemote(overrides: Partial<RemoteSubscription> = {}): RemoteSubscription {
  return {
    id: 'sub_1',
    interval: 'month',
    currency: 'EUR',
    state: 'ACTIVE',
    startedAt: START,
    currentPeriodStart: START,
    currentPeriodEnd: day(30),
    cancelAtPeriodEnd: false,
    trialEndsAt: null,
    canceledAt: null,
    endedAt: null,
    ...overrides,
  };
}

/** Apply states in order; returns the row and the notifications. */
function applyAll(states: readonly RemoteSubscription[], begun: SubscriptionFields | null = null) {
  let facts = begun;
  let version = begun ? 1 : 0;
  const notifications: string[] = [];
  for (const one of states) {
    const applied = applyRemoteSubscription(facts, one, SOLD, { now: NOW, version });
    facts = applied.facts;
    version += applied.isChanged ? 1 : 0;
    for (const { key, event } of applied.notifications)
      if (!notifications.includes(key)) notifications.push(key) && event;
  }
  return { facts, notifications };
}

const listNotifications = (...states: RemoteSubscription[]) =>
  applyAll(states).notifications.map((key) => key.replace('subscription:sub_1:', ''));

t.test('notifies about state changes of a subscription', async (t) => {
  const ended = createRemote({ state: 'CANCELED', endedAt: day(30) });
  t.same(listNotifications(createRemote({ state: 'INCOMPLETE' })), []);
  t.same(listNotifications(createRemote({ state: 'INCOMPLETE' }), createRemote()), ['started']);
  t.same(
    listNotifications(createRemote({ state: 'INCOMPLETE' }), ended),
    [],
    'what never began does not end',
  );
  t.same(listNotifications(ended), [], 'what is over when it is first seen is not told');
  t.same(listNotifications(createRemote(), ended), ['started', 'ended']);
  t.same(
    listNotifications(createRemote(), createRemote({ state: 'PAST_DUE' }), createRemote()),
    ['started'],
    'the invoice tells of this',
  );
  t.same(
    listNotifications(
      createRemote(),
      createRemote({ state: 'PAUSED' }),
      createRemote(),
      createRemote({ state: 'UNPAID' }),
    ),
    [...['started', 'paused:2', 'resumed:3', 'paused:4']],
  );
  const ending = `ending:${day(30).getTime() / 1000}`;
  const leaving = createRemote({ cancelAtPeriodEnd: true });
  t.same(
    listNotifications(createRemote(), leaving, createRemote(), leaving),
    ['started', ending],
    'twice for one end is once',
  );
  t.same(listNotifications(leaving), ['started', ending], 'and in one look');
  const yearly = createRemote({ interval: 'year' });
  t.same(listNotifications(createRemote(), yearly, yearly), ['started', 'changed:2']);
});

t.test('notifies three days before the end of a trial unless it is canceled', async (t) => {
  const trial = (end: Date, overrides: Partial<RemoteSubscription> = {}) =>
    listNotifications(
      createRemote({ state: 'TRIALING', trialEndsAt: end, currentPeriodEnd: end, ...overrides }),
    );
  t.same(trial(day(20)), ['started']);
  t.same(trial(day(12)), ['started', `trial:${day(12).getTime() / 1000}`]);
  t.same(trial(day(12), { cancelAtPeriodEnd: true }), ['started', `ending:${day(12).getTime() / 1000}`]);
  t.same(trial(day(8)), ['started'], 'one that is over');
});

t.test('an unknown price creates no row and keeps the package of an existing row', async (t) => {
  const options = { now: NOW, version: 1 };
  t.equal(applyRemoteSubscription(null, createRemote(), null, options).facts, null);
  const { facts } = applyAll([createRemote()]);
  const paused = applyRemoteSubscription(facts, createRemote({ state: 'PAUSED' }), null, options).facts;
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
  .map(createRemote);
const lifecycle = fc.array(living, { minLength: 1, maxLength: 12 });
const ENDED = createRemote({ state: 'CANCELED', canceledAt: day(20), endedAt: day(20) });

t.test('the latest state wins, however often it is repeated', async () => {
  fc.assert(
    fc.property(lifecycle, living, fc.nat(3), (before, last, repeats) => {
      const once = applyAll([last]).facts;
      const more = applyAll([...before, last, ...Array.from({ length: repeats }, () => last)]);
      t.same(more.facts, once);
      const again = applyRemoteSubscription(more.facts, last, SOLD, { now: NOW, version: 99 });
      t.equal(again.isChanged, false);
      t.ok(
        again.notifications.every(({ key }) => more.notifications.includes(key)),
        'a repeat tells nothing new',
      );
    }),
  );
});

t.test('an ended subscription stays ended, whatever the order of events', async () => {
  fc.assert(
    fc.property(lifecycle, lifecycle, (before, later) => {
      const at = applyAll([...before, ENDED]);
      const on = applyAll([...before, ENDED, ...later, ENDED]);
      t.same(on.facts, at.facts);
      t.same(on.facts?.state, 'CANCELED');
      t.same(on.notifications, at.notifications, 'and nothing is told after it');
    }),
  );
});
