import { readFile } from 'node:fs/promises';
import { parseBenchOptions } from '../../bench/bench-options.ts';
import { BENCH_ROWS } from '../../bench/rows/all-rows.ts';
import { t } from '../tap.ts';

const NAMES = ['scan', 'cursor', 'image'];
const parse = (text: string) => parseBenchOptions(text.split(' ').filter(Boolean), NAMES);

t.test('without names all rows are measured; with names only these, in table order', async (t) => {
  t.same(parse(''), { rows: NAMES, rounds: 6, seconds: 4, percent: 100, json: 'tmp/bench.json', data: null });
  t.same(parse('image scan scan')?.rows, ['scan', 'image']);
});

t.test('rounds, seconds, percent, JSON file and data folder are accepted in any position', async (t) => {
  t.same(parse('--rounds 2 cursor --seconds 1 --percent 5 --json /tmp/x.json --data kept'), {
    ...{ rows: ['cursor'], rounds: 2, seconds: 1, percent: 5, json: '/tmp/x.json', data: 'kept' },
  });
});

t.test('unknown names and invalid options are rejected', async (t) => {
  for (const text of [
    ...['scans', '--rounds', '--rounds 0', '--rounds two', '--rounds 1.5', '--percent 101', '--seconds -1'],
    ...['--json', '--json --rounds 2', '--data', '--fast 1', '3'],
  ])
    t.equal(parse(text), null, text);
});

t.test('the help names every row', async (t) => {
  const [help = ''] = (await readFile('bench/bench.ts', 'utf8')).split('\nimport');
  for (const { name } of BENCH_ROWS) t.match(help, new RegExp(`[\\s,]${name}[,\\s]`), name);
  t.equal(new Set(BENCH_ROWS.map(({ name }) => name)).size, BENCH_ROWS.length);
});
