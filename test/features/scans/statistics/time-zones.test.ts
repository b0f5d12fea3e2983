import { FORMATS } from '../../../../src/shared/formats.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

t.test('PostgreSQL has every time zone that is accepted', async (t) => {
  const { database } = await startTestApp(t);
  const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM pg_timezone_names');
  const known = new Set(rows.map(({ name }) => name));
  const abbreviations = LETTERS.flatMap((one) =>
    LETTERS.flatMap((two) => LETTERS.map((three) => one + two + three)),
  );
  const names = [...abbreviations, ...Intl.supportedValuesOf('timeZone'), 'US/Pacific-New', 'SystemV/PST8'];
  const accepted = names.filter((name) => FORMATS['time-zone']?.isValid(name));
  t.same(
    accepted.filter((name) => !known.has(name)),
    [],
  );
  t.ok(['UTC', 'GMT', 'CET', 'Europe/Berlin'].every((name) => accepted.includes(name)));
});
