import { getStartOfDay, getStartOfEarlierDay } from '../../../../src/shared/day-start.ts';
import { t } from '../../../tap.ts';

const at = (text: string) => new Date(text);

t.test('a day begins at midnight of its time zone', async (t) => {
  const getStart = (moment: string, zone: string) => getStartOfDay(at(moment), zone).toISOString();
  t.equal(getStart('2026-03-10T12:00:00Z', 'UTC'), '2026-03-10T00:00:00.000Z');
  t.equal(getStart('2026-03-10T23:30:00Z', 'Europe/Berlin'), '2026-03-10T23:00:00.000Z');
  t.equal(getStart('2026-03-10T22:59:59.999Z', 'Europe/Berlin'), '2026-03-09T23:00:00.000Z');
  t.equal(getStart('2026-03-10T03:00:00Z', 'America/New_York'), '2026-03-09T04:00:00.000Z');
  t.equal(getStart('2026-03-10T12:00:00Z', 'Asia/Kolkata'), '2026-03-09T18:30:00.000Z');
  t.equal(getStart('2026-03-10T12:00:00Z', 'Pacific/Kiritimati'), '2026-03-10T10:00:00.000Z');
});

t.test('a day begins at midnight, also on days with a clock change', async (t) => {
  // Berlin: 2026-03-29 02:00 becomes 03:00, 2026-10-25 03:00 becomes 02:00.
  const getStart = (moment: string) => getStartOfDay(at(moment), 'Europe/Berlin').toISOString();
  t.equal(getStart('2026-03-29T12:00:00Z'), '2026-03-28T23:00:00.000Z');
  t.equal(getStart('2026-10-25T12:00:00Z'), '2026-10-24T22:00:00.000Z');
  const before = getStartOfEarlierDay(at('2026-03-31T12:00:00Z'), 6, 'Europe/Berlin');
  t.equal(before.toISOString(), '2026-03-24T23:00:00.000Z');
  t.equal(
    getStartOfEarlierDay(at('2026-10-26T12:00:00Z'), 1, 'Europe/Berlin').toISOString(),
    '2026-10-24T22:00:00.000Z',
  );
});

t.test('a day without midnight begins within an hour of it', async (t) => {
  // Beirut: 2026-03-29 00:00 becomes 01:00, which is 2026-03-28 22:00 UTC.
  const start = getStartOfDay(at('2026-03-29T12:00:00Z'), 'Asia/Beirut').getTime();
  t.ok(Math.abs(start - at('2026-03-28T22:00:00Z').getTime()) <= 60 * 60 * 1000);
});

t.test('a day with two midnights begins at the first', async (t) => {
  // Havana: 2025-11-02 01:00 becomes 00:00, which is 05:00 UTC; the Azores: 2025-10-26 01:00 becomes 00:00.
  const getStart = (moment: string, zone: string) => getStartOfDay(at(moment), zone).toISOString();
  for (const moment of ['2025-11-02T04:30:00Z', '2025-11-02T05:30:00Z', '2025-11-02T17:00:00Z'])
    t.equal(getStart(moment, 'America/Havana'), '2025-11-02T04:00:00.000Z');
  t.equal(getStart('2025-11-02T03:59:59Z', 'America/Havana'), '2025-11-01T04:00:00.000Z');
  t.equal(getStart('2025-10-26T12:00:00Z', 'Atlantic/Azores'), '2025-10-26T00:00:00.000Z');
});
