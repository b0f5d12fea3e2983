import {
  type AlarmHandling,
  CODE_ALARM_BUDGET,
  countAlarmsByBudgetKey,
  filterAlarmsWithinBudget,
  getNextAlarmDigestTime,
  VISITOR_ALARM_BUDGET,
} from '../../../src/features/notifications/alarms.rules.ts';
import { chooseNotificationDelivery } from '../../../src/features/notifications/delivery.rules.ts';
import { createDigestContent } from '../../../src/features/notifications/digest-content.rules.ts';
import {
  findQuietHoursAt,
  getNextInstantAtTimeOfDay,
} from '../../../src/features/notifications/quiet-hours.rules.ts';
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  findFixedChannelErrors,
  mergeChannelPreferences,
  type RecipientSettings,
} from '../../../src/features/notifications/settings.rules.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const NIGHT = { from: '22:00', to: '07:00' };
const BERLIN: RecipientSettings = { ...DEFAULT_NOTIFICATION_SETTINGS, timeZone: 'Europe/Berlin' };
const at = (text: string) => new Date(text);
const until = (decision: ReturnType<typeof chooseNotificationDelivery>) =>
  'until' in decision ? `${decision.act} ${decision.until.toISOString()}` : decision.act;

function scan(
  settings: RecipientSettings,
  moment: string,
  more: { event?: string; isAmongFirst?: boolean } = {},
) {
  const sendable = { event: 'scan.created', createdAt: at(moment), isAmongFirst: true, ...more };
  return until(chooseNotificationDelivery(settings, sendable, 'PUSH', at(moment)));
}

t.test('supports quiet hours across midnight and clock changes', async (t) => {
  const end = (moment: string) => findQuietHoursAt(NIGHT, 'Europe/Berlin', at(moment))?.until.toISOString();
  t.equal(end('2026-01-10T21:00:00Z'), '2026-01-11T06:00:00.000Z', 'ten in the evening begins them');
  t.equal(end('2026-01-10T20:59:59Z'), undefined);
  t.equal(end('2026-01-11T05:59:59Z'), '2026-01-11T06:00:00.000Z');
  t.equal(end('2026-01-11T06:00:00Z'), undefined, 'seven in the morning is not quiet');
  // Clocks change in the nights to 2026-03-29 and 2026-10-25.
  t.equal(end('2026-03-28T22:00:00Z'), '2026-03-29T05:00:00.000Z');
  t.equal(end('2026-10-24T22:00:00Z'), '2026-10-25T06:00:00.000Z');
  const gap = findQuietHoursAt({ from: '22:00', to: '02:30' }, 'Europe/Berlin', at('2026-03-28T22:00:00Z'));
  t.equal(
    gap?.until.toISOString(),
    '2026-03-29T01:30:00.000Z',
    'an end that is left out comes an hour later',
  );
  t.equal(
    getNextInstantAtTimeOfDay(8 * 60, 'Europe/Berlin', at('2026-03-28T22:00:00Z')).toISOString(),
    '2026-03-29T06:00:00.000Z',
  );
});

t.test('ends quiet hours within a day in any time zone', async (t) => {
  const clock = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'UTC',
  );
  const moment = fc.date({
    min: at('2026-01-01T00:00:00Z'),
    max: at('2027-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(clock, clock, zone, moment, (from, to, timeZone, now) => {
      fc.pre(from !== to);
      const span = findQuietHoursAt({ from, to }, timeZone, now);
      if (!span) return;
      t.ok(
        span.until > now && span.until.getTime() - now.getTime() <= 26 * 3_600_000,
        `${from} ${to} ${timeZone}`,
      );
      // A time skipped by a clock change does not count.
      const [, fromHour, toHour] = [0, Number(from.slice(0, 2)), Number(to.slice(0, 2))];
      if ((fromHour - toHour + 24) % 24 > 2)
        t.equal(findQuietHoursAt({ from, to }, timeZone, span.until), null);
    }),
  );
});

t.test('sends urgent notifications immediately, and defers others to the end of quiet hours', async (t) => {
  const settings = { ...BERLIN, quietHours: NIGHT, digest: 'NEVER' as const };
  t.equal(scan(settings, '2026-01-10T12:00:00Z'), 'SEND');
  t.equal(scan(settings, '2026-01-10T23:00:00Z'), 'HOLD 2026-01-11T06:00:00.000Z');
  for (const event of [
    'code.scanned_while_lost',
    'scan.located',
    'message.created',
    'code.pin_rejected',
    'break_glass.opened',
    'login.created',
  ])
    t.equal(scan(settings, '2026-01-10T23:00:00Z', { event }), 'SEND', event);
});

t.test('sends the first scans of an hour or a night one by one, and the others in a digest', async (t) => {
  const later = { isAmongFirst: false };
  t.equal(scan(BERLIN, '2026-01-10T12:20:00Z'), 'SEND');
  t.equal(scan(BERLIN, '2026-01-10T12:20:00Z', later), 'GATHER 2026-01-10T13:00:00.000Z');
  const night = { ...BERLIN, quietHours: NIGHT };
  t.equal(scan(night, '2026-01-10T23:20:00Z'), 'HOLD 2026-01-11T06:00:00.000Z');
  t.equal(scan(night, '2026-01-10T23:20:00Z', later), 'GATHER 2026-01-11T06:00:00.000Z');
  t.equal(
    scan(night, '2026-01-10T20:20:00Z', later),
    'GATHER 2026-01-11T06:00:00.000Z',
    'not into the night',
  );
  t.equal(scan({ ...BERLIN, digest: 'HOURLY' }, '2026-01-10T12:20:00Z'), 'GATHER 2026-01-10T13:00:00.000Z');
  t.equal(scan({ ...BERLIN, digest: 'DAILY' }, '2026-01-10T12:20:00Z'), 'GATHER 2026-01-11T07:00:00.000Z');
  t.equal(scan({ ...BERLIN, digest: 'NEVER' }, '2026-01-10T12:20:00Z', later), 'SEND');
  t.equal(scan(BERLIN, '2026-01-10T12:20:00Z', { event: 'code.expired', isAmongFirst: false }), 'SEND');
  const late = chooseNotificationDelivery(
    BERLIN,
    { event: 'scan.created', createdAt: at('2026-01-10T12:20:00Z'), isAmongFirst: false },
    'PUSH',
    at('2026-01-10T14:10:00Z'),
  );
  t.equal(until(late), 'GATHER 2026-01-10T15:00:00.000Z', 'a digest that was already sent is skipped');
});

t.test('applies defaults and preferences per channel, except for security notifications', async (t) => {
  const mail = (event: string, preferences = {}) =>
    chooseNotificationDelivery(
      { ...BERLIN, preferences },
      { event, createdAt: at('2026-01-10T12:00:00Z'), isAmongFirst: true },
      'EMAIL',
      at('2026-01-10T12:00:00Z'),
    ).act;
  t.equal(mail('scan.created'), 'NOTHING');
  t.equal(mail('scan.created', { 'scan.created': { EMAIL: true } }), 'SEND');
  t.equal(mail('code.scanned_while_lost'), 'SEND');
  t.equal(mail('code.scanned_while_lost', { 'code.scanned_while_lost': { EMAIL: false } }), 'NOTHING');
  t.equal(mail('role.changed', { 'role.changed': { EMAIL: false } }), 'SEND');
  for (const event of [
    'login.created',
    'password.changed',
    'second_factor.enabled',
    'break_glass.opened',
    'toString',
  ])
    t.equal(mail(event), 'NOTHING', event);
  t.match(findFixedChannelErrors({ 'role.changed': { EMAIL: false } }), [
    { field: 'preferences.role.changed.EMAIL', code: 'NOT_ALLOWED' },
  ]);
  t.same(mergeChannelPreferences({}, { 'role.changed': { EMAIL: true } }), {});
});

t.test('limits alerts by visitor and code across batches', async (t) => {
  const by = (visitor: string, event = 'code.scanned_while_lost') => ({
    id: visitor,
    event,
    qrCodeId: 'c',
    visitor,
  });
  const alarms = [by('a'), by('b'), by('a'), by('a', 'scan.located')];
  const uses = countAlarmsByBudgetKey(alarms, VISITOR_ALARM_BUDGET);
  t.same(
    uses.map(({ count }) => count),
    [2, 1, 1],
  );
  const fresh = uses.map(({ key, count: used }) => ({ key, used }));
  t.same(
    filterAlarmsWithinBudget(alarms, VISITOR_ALARM_BUDGET, fresh),
    [alarms[0], alarms[1], alarms[3]],
    'the first of each',
  );
  const later = uses.map(({ key, count }) => ({ key, used: count + 1 }));
  t.same(filterAlarmsWithinBudget(alarms, VISITOR_ALARM_BUDGET, later), []);
  t.same(
    filterAlarmsWithinBudget(alarms, CODE_ALARM_BUDGET, [{ key: 'alarms:c', used: 12 }]),
    alarms.slice(0, 2),
  );
  t.equal(getNextAlarmDigestTime(at('2026-01-10T12:00:00Z')).toISOString(), '2026-01-10T13:00:00.000Z');
  const night: RecipientSettings = { ...BERLIN, quietHours: NIGHT };
  const moment = '2026-01-10T23:30:00Z';
  const chooseForAlarm = (alarm: AlarmHandling) =>
    until(
      chooseNotificationDelivery(
        night,
        { event: 'scan.located', createdAt: at(moment), isAmongFirst: false, alarm },
        'EMAIL',
        at(moment),
      ),
    );
  t.equal(chooseForAlarm('AT_ONCE'), 'SEND');
  t.equal(chooseForAlarm('REPEATED'), 'LIST');
  t.equal(chooseForAlarm('GATHERED'), 'GATHER_ALARM 2026-01-11T00:00:00.000Z', 'also in quiet hours');
});

t.test('names the most scanned codes in a digest, and counts all', async (t) => {
  const since = at('2026-01-10T12:20:00Z');
  const of = (title: string, count: number, channel: 'EMAIL' | 'PUSH' = 'PUSH') => ({
    userId: 'u',
    accountId: 'u',
    channel,
    event: 'scan.created',
    title,
    scans: Array.from({ length: count }, (_, index) => `${title}${index}`),
    since,
    until: since,
    newest: {},
  });
  const english = { language: 'en', timeZone: 'UTC' };
  const digest = createDigestContent(
    [...'abcdef'].map((title, index) => of(title, index + 1)),
    english,
  );
  t.match(digest, {
    channels: ['PUSH'],
    data: { count: '21', codes: 'f (6), e (5), d (4), c (3), b (2), …' },
  });
  t.match(createDigestContent([of('a', 3), of('a', 3, 'EMAIL')], english), {
    channels: ['PUSH', 'EMAIL'],
    data: { count: '3' },
  });
  const arabic = createDigestContent([of('a', 1), of('b', 2)], { ...english, language: 'ar' });
  t.match(arabic, { data: { codes: 'b (2)، a (1)' } });
  t.equal(createDigestContent([], english), null);
});
