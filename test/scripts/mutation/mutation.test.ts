import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createSourceFinder, parseRemoval } from '../../../scripts/mutation/guards.ts';
import { readFailure } from '../../../scripts/mutation/outcome.ts';
import { removeGuard } from '../../../scripts/mutation/remove-guard.ts';
import { GUARDS } from '../../mutation/all-guards.ts';
import { t } from '../../tap.ts';

function remove(removal: string, source: string): string {
  const parsed = parseRemoval(removal);
  return 'trigger' in parsed ? '' : removeGuard(parsed, source);
}

t.test('each guard is found by its name, and its test exists', async (t) => {
  const findSource = createSourceFinder();
  const migrations = readdirSync('prisma/migrations', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => readFileSync(`prisma/migrations/${path}`, 'utf8'))
    .join();
  const problems = GUARDS.flatMap(({ name, removal, test }) => {
    try {
      const parsed = parseRemoval(removal);
      if ('trigger' in parsed && !migrations.includes(`CREATE TRIGGER ${parsed.trigger} `))
        throw new Error('no migration creates it');
      if ('name' in parsed) removeGuard(parsed, readFileSync(findSource(parsed.name), 'utf8'));
      return existsSync(test) ? [] : [`${test} of: ${name}`];
    } catch (error) {
      return [`${name}: ${removal}: ${error instanceof Error ? error.message : error}`];
    }
  });
  t.same(problems, []);
  t.equal(new Set(GUARDS.map(({ removal }) => removal)).size, GUARDS.length, 'each is listed once');
});

t.test('a guard is left out by a word, wherever it stands', async (t) => {
  const sql = (condition: string) => `return sql\`SELECT owner FROM a WHERE ${condition} LIMIT 1\`;`;
  for (const [word, body, rest] of [
    ['LOCKED', "if (a && b) throw new E('LOCKED');", "if (false) throw new E('LOCKED');"],
    ['LOCKED', "if (a) { log(); throw new E('LOCKED'); }", "if (false) { log(); throw new E('LOCKED'); }"],
    ['LOCKED', "throw new E('LOCKED');", ';'],
    ['LOCKED', "return a ? 'LOCKED' : null;", 'return null;'],
    ['isOpen', 'return a && isOpen(a);', 'return a && true;'],
    ['isOpen', 'if (!a || !isOpen(a)) return;', 'if (!a || false) return;'],
    ['lock', 'await lock(a); return a;', '; return a;'],
    ['owner', 'return find({ where: { id, owner, b } });', 'return find({ where: { id,  b } });'],
    ['table', 'return [a.table, a.id];', 'return [ a.id];'],
    ['allowed', 'return { allowed: 5, b };', 'return { allowed: (5) * 1000, b };'],
    ['owner', sql('owner = 1\n AND b'), sql('(owner = 1 OR true)\n AND b')],
    ['owner', sql('(a IN (1) OR owner) AND b'), sql('(a IN (1) OR (owner AND false)) AND b')],
    ['owner', sql('b AND lower(owner) = 1'), sql('b AND (lower(owner) = 1 OR true)')],
    ['owner', sql('EXISTS (SELECT FROM b WHERE owner)'), sql('EXISTS (SELECT FROM b WHERE (owner OR true))')],
  ] as const) {
    const read = (text: string) => `export function read(a) { ${text} }`;
    t.equal(remove(`read without ${word}`, read(body)), read(rest));
  }
  const helper = 'export const read = (a) => check(a);\nconst check = (a) => a && isOpen(a);';
  t.equal(remove('read without isOpen', helper), helper.replace('isOpen(a)', 'true'), 'beside the export');
  t.equal(
    remove('read returns true', 'async function read() { a(); }'),
    'async function read() { return (true); }',
  );
  t.equal(remove('MAX_A times 1000', 'const MAX_A = 60 * 5;'), 'const MAX_A = (60 * 5) * 1000;');
});

t.test('a guard that is gone, and a word that is ambiguous, are reported', async (t) => {
  const findSource = createSourceFinder();
  t.throws(() => findSource('readNothing'), /declared in 0 sources/);
  const source = 'export function read(a, b) { if (a.id || b.id) return; }';
  t.throws(() => remove('write without id', source), /not declared/);
  t.throws(() => remove('read without owner', source), /nothing removable/);
  t.throws(() => remove('read without id', source), /in 2 places/);
  t.throws(() => remove('read times 1000', source), /no number/);
  t.throws(() => parseRemoval('read minus id'), /is not/);
});

t.test('only a failing assertion notices a guard', async (t) => {
  const parent = ['    not ok 1 - a rule # time=12.5ms', '      ---', '      at:', '      ...'];
  const assertion = [
    '        not ok 2 - should be equal',
    '          compare: ===',
    '          diff: |',
    '            --- expected',
    '            +++ actual',
    '            -404',
    '            +200',
  ];
  const read = (...lines: string[]) => readFailure('a.test.ts', lines);
  t.same(read(...assertion, ...parent), {
    outcome: 'NOTICED',
    reason: 'a.test.ts: should be equal -404 +200',
  });
  const error = ['        not ok 1 - x is not defined', '          type: ReferenceError', '          at:'];
  const caught = [...error, '          tapCaught: returnedPromiseRejection'];
  const busy = assertion.map((line) => line.replace('+200', '+503'));
  const timeout = ['        not ok 1 - timeout!', '          at:', '          expired: a rule'];
  const unclear = [caught, busy, timeout, parent, ['  its process ended with 1']];
  for (const lines of unclear) t.equal(read(...lines).outcome, 'UNCLEAR', lines.join());
  t.equal(read(...caught, ...assertion).outcome, 'NOTICED', 'whatever fails before it');
});
