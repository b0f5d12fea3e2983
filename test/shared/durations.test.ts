import { DAY_SECONDS, formatDuration } from '../../src/shared/durations.ts';
import { formatLifetime } from '../../src/shared/lifetimes.ts';
import { t } from '../tap.ts';

t.test('a duration in words has the largest unit that has it whole', async (t) => {
  for (const [seconds, words] of [
    [1, 'a second'],
    [60, 'a minute'],
    [90, '90 seconds'],
    [3_600, 'an hour'],
    [7_200, 'two hours'],
    [36_000, 'ten hours'],
    [39_600, '11 hours'],
    [DAY_SECONDS, 'a day'],
    [365 * DAY_SECONDS, 'a year'],
    [366 * DAY_SECONDS, '366 days'],
  ] as const)
    t.equal(formatDuration(seconds), words);
  t.equal(formatDuration(DAY_SECONDS, 'hours'), '24 hours');
  t.equal(formatLifetime('breakGlass'), '15 minutes');
});
