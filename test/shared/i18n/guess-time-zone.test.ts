import { guessTimeZone } from '../../../src/shared/i18n/guess-time-zone.ts';
import { t } from '../../tap.ts';

t.test('guesses the time zone by country, else by a language of one time', async (t) => {
  for (const [accepted, timeZone] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'Europe/Vienna'],
    ['en;q=0.5, nl-BE', 'Europe/Brussels'],
    ['zh-Hant-TW', 'Asia/Taipei'],
    ['iw-IL', 'Asia/Jerusalem'],
    ['DE', 'Europe/Berlin'],
    ['en-gb', 'Europe/London'],
  ])
    t.equal(guessTimeZone(accepted), timeZone, String(accepted));
});

t.test('does not guess where a language or country has several times', async (t) => {
  for (const accepted of [
    undefined,
    '',
    '*',
    'en',
    'en-US',
    'es',
    'pt-BR',
    'fr-CA',
    'ar',
    'es-419',
    'xx-YY',
    'en-US,de',
  ])
    t.equal(guessTimeZone(accepted), 'UTC', String(accepted));
});
