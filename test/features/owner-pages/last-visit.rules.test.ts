import { computeVisit } from '../../../src/features/owner-pages/home/last-visit.rules.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/shared/durations.ts';
import { t } from '../../tap.ts';

const ACCOUNT = '0123456789abcdef01234567';
const NOW = new Date('2026-11-30T12:00:00Z');
const at = (agoMs: number) => NOW.getTime() - agoMs;
const compute = (cookie: string | undefined) => computeVisit(cookie, ACCOUNT, NOW);

t.test('a first visit sees a week', async (t) => {
  t.same(compute(undefined), {
    since: new Date(at(7 * DAY_MS)),
    cookie: `${ACCOUNT}.${at(7 * DAY_MS)}.${at(0)}`,
  });
});

t.test('pages within half an hour are one visit', async (t) => {
  t.same(compute(`${ACCOUNT}.${at(2 * DAY_MS)}.${at(29 * MINUTE_MS)}`).since, new Date(at(2 * DAY_MS)));
  t.same(compute(`${ACCOUNT}.${at(2 * DAY_MS)}.${at(31 * MINUTE_MS)}`).since, new Date(at(31 * MINUTE_MS)));
});

t.test('a month is the most, and what is no visit of the account does not count', async (t) => {
  t.same(compute(`${ACCOUNT}.${at(200 * DAY_MS)}.${at(100 * DAY_MS)}`).since, new Date(at(30 * DAY_MS)));
  for (const cookie of [
    `other.${at(2 * DAY_MS)}.${at(DAY_MS)}`,
    `${ACCOUNT}.${at(DAY_MS)}.${at(2 * DAY_MS)}`,
    `${ACCOUNT}.${at(2 * DAY_MS)}.${at(-DAY_MS)}`,
    `${ACCOUNT}.x.y`,
    '..',
  ])
    t.same(compute(cookie).since, new Date(at(7 * DAY_MS)), cookie);
});
