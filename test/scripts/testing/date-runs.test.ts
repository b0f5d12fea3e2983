import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseDateFiles } from '../../../scripts/testing/date-files.ts';
import {
  appendDateResult,
  formatDateTable,
  parseResultLine,
  readDateResults,
} from '../../../scripts/testing/date-results.ts';
import { createFakeDateEnvironment, toUpcomingDate } from '../../../scripts/testing/fake-date.ts';
import { t } from '../../tap.ts';

t.test('a test depends on the calendar by its text or by a helper', async (t) => {
  const texts: Record<string, string> = {
    'test/a/plain.test.ts': "import { t } from '../tap.ts';\nt.ok(Date.now());",
    'test/a/days.test.ts': 'const DAY_MS = 24 * 60 * 60 * 1000;',
    'test/a/month.test.ts': "query(`SELECT now() - interval '3 months'`);",
    'test/a/later.test.ts': "const startsAt = '2027-06-12T18:00:00Z';",
    'test/a/shop.test.ts': "import { startShop } from './shop.ts';",
    'test/a/shop.ts': "import '../../packages/stripe-emulator/src/index.ts';\nimport '../clone.ts';",
    'test/clone.ts': 'process.env.TEST_OWNER_URL',
  };
  const files = Object.keys(texts).filter((name) => name.endsWith('.test.ts'));
  t.same(
    chooseDateFiles(files, (path) => texts[path] ?? ''),
    [
      { file: 'test/a/days.test.ts', needsDatabase: false },
      { file: 'test/a/month.test.ts', needsDatabase: false },
      { file: 'test/a/later.test.ts', needsDatabase: false },
      { file: 'test/a/shop.test.ts', needsDatabase: true },
    ],
  );
});

t.test('a date is a constant offset of the clock', async (t) => {
  const offsetTo = (date: string) =>
    createFakeDateEnvironment('lib', new Date(date), new Date('2026-11-28T12:00:00Z')).FAKETIME;
  t.equal(offsetTo('2026-11-29T12:00:01Z'), '+86401');
  t.equal(offsetTo('2026-11-27T12:00:00Z'), '-86400');
});

t.test('a date that is over is replaced by one with the same calendar', async (t) => {
  const now = new Date('2028-03-01T00:00:00Z');
  t.equal(toUpcomingDate('2028-03-01T00:01', now), '2028-03-01T00:01');
  t.equal(toUpcomingDate('2028-03-01T00:00', now), '2056-03-01T00:00');
  t.equal(toUpcomingDate('2028-02-29T12:00', now), '2056-02-29T12:00');
  t.equal(toUpcomingDate('2026-11-28T12:00', now), '2037-11-28T12:00');
  t.equal(toUpcomingDate('2027-10-31T00:59', now), '2038-10-31T00:59');
});

t.test('results of a stopped run are kept for its commit, and shown as file × date', async (t) => {
  const path = join(t.testdir(), 'cache/results.jsonl');
  t.same(readDateResults('c1', path), []);
  const result = { commit: 'c1', date: '2028-02-29', file: 'test/a.test.ts', hasPassed: false };
  for (const one of [
    result,
    { ...result, commit: 'c2' },
    { ...result, hasPassed: true },
    { ...result, file: 'test/bb.test.ts' },
  ])
    appendDateResult(one, path);
  appendFileSync(path, '\n{"commit":"c1","cut o');
  const results = readDateResults('c1', path);
  t.same(
    results.map(({ file, hasPassed }) => [file, hasPassed]),
    [
      ['test/a.test.ts', true],
      ['test/bb.test.ts', false],
    ],
  );
  t.same(formatDateTable(['test/a.test.ts', 'test/bb.test.ts'], ['2028-02-29', '2032-01-31'], results), [
    ' 1 2028-02-29',
    ' 2 2032-01-31',
    '',
    '                 1  2',
    'test/a.test.ts   .  -',
    'test/bb.test.ts  F  -',
  ]);
});

t.test('a result is read from the first line of a file’s report', async (t) => {
  t.same(parseResultLine('passed test/a.test.ts 1.2 s (3 of 8)'), {
    file: 'test/a.test.ts',
    hasPassed: true,
  });
  t.same(parseResultLine('FAILED test/a.test.ts 1.2 s (3 of 8)'), {
    file: 'test/a.test.ts',
    hasPassed: false,
  });
  t.equal(parseResultLine('  test/a.test.ts'), null);
});
