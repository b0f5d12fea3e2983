import {
  findDueAnniversaryYear,
  listCurrentMonthDaysWorldwide,
} from '../../../src/features/memory-tags/anniversary.rules.ts';
import { t } from '../../tap.ts';

t.test('is due from 8:00 to the end of the day in a time zone', async (t) => {
  const findDueYear = (at: string, zone = 'UTC', date = '1931-05-17') =>
    findDueAnniversaryYear(date, zone, new Date(at));
  t.equal(findDueYear('2026-05-17T07:59:59Z'), null);
  t.equal(findDueYear('2026-05-17T08:00:00Z'), 2026);
  t.equal(findDueYear('2026-05-17T23:59:59Z'), 2026);
  t.equal(findDueYear('2026-05-18T08:00:00Z'), null);
  t.equal(findDueYear('2026-05-16T12:00:00Z'), null);
  t.equal(findDueYear('2026-05-16T21:00:00Z', 'Asia/Tokyo'), null, 'six in the morning there');
  t.equal(findDueYear('2026-05-16T23:00:00Z', 'Asia/Tokyo'), 2026);
  t.equal(findDueYear('2026-05-16T18:00:00Z', 'Pacific/Kiritimati'), 2026);
  t.equal(findDueYear('2026-05-18T06:00:00Z', 'Pacific/Pago_Pago'), 2026);
  t.equal(findDueYear('2026-05-17T12:00:00Z', 'UTC', '2026-05-17'), null, 'the day itself is none');
  t.equal(findDueYear('2026-05-17T12:00:00Z', 'UTC', '2027-05-17'), null);
  t.equal(findDueYear('2027-01-01T05:00:00Z', 'America/New_York', '1931-01-01'), null, 'midnight there');
});

t.test('observes 29 February on the 28th in common years', async (t) => {
  const findDueYear = (day: string, date = '2004-02-29') =>
    findDueAnniversaryYear(date, 'UTC', new Date(`${day}T09:00:00Z`));
  t.equal(findDueYear('2026-02-28'), 2026);
  t.equal(findDueYear('2026-03-01'), null);
  t.equal(findDueYear('2028-02-28'), null);
  t.equal(findDueYear('2028-02-29'), 2028);
  t.equal(findDueYear('2100-02-28'), 2100);
  t.equal(findDueYear('2026-02-28', '1931-02-28'), 2026);
  t.equal(findDueYear('2028-02-29', '1931-02-28'), null);
});

t.test('includes every current date on Earth', async (t) => {
  const moments = [
    '2026-02-28T00:00:00Z',
    '2028-02-28T23:59:59Z',
    '2026-12-31T12:00:00Z',
    '2026-05-17T10:30:00Z',
  ];
  for (const at of moments.map((moment) => new Date(moment)))
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC', 'Asia/Kathmandu']) {
      const days = listCurrentMonthDaysWorldwide(at);
      for (let day = 1; day <= 366; day += 1) {
        const date = new Date(Date.UTC(2004, 0, day)).toISOString().slice(0, 10);
        if (findDueAnniversaryYear(date, zone, at) !== null)
          t.ok(days.includes(date.slice(5)), `${date} ${zone}`);
      }
    }
  t.same(listCurrentMonthDaysWorldwide(new Date('2026-02-28T12:00:00Z')), [
    '02-27',
    '02-28',
    '02-29',
    '03-01',
  ]);
});
