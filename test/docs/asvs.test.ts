import { readdir, readFile, stat } from 'node:fs/promises';
import { t } from '../tap.ts';

type Level = '1' | '2';
type State = 'met' | 'not applicable' | 'not met';

interface Row {
  file: string;
  id: string;
  level: string;
  asks: string;
  answer: string;
  tests: string[];
  state: State;
}

const FOLDER = 'docs/security';
const LEVELS: readonly Level[] = ['1', '2'];
const STATES: readonly State[] = ['met', 'not applicable', 'not met'];

/** Ids of OWASP ASVS 5.0.0 by level, a line for each chapter. */
const { levels }: { levels: Record<Level, string[]> } = JSON.parse(
  await readFile('test/docs/asvs-5.0.0.json', 'utf8'),
);
const listIds = (level: Level) => levels[level].flatMap((line) => line.split(' '));
const files = (await readdir(FOLDER)).filter((name) => /^asvs-\d-\w+\.md$/.test(name));
const rows = (await Promise.all(files.map(readRows))).flat();
const overview = await readFile(`${FOLDER}/asvs.md`, 'utf8');

async function readRows(file: string): Promise<Row[]> {
  const lines = (await readFile(`${FOLDER}/${file}`, 'utf8')).split('\n');
  return lines
    .filter((line) => line.startsWith('| v5.0.0-'))
    .map((line) => {
      const cells = line.split('|').slice(1, -1);
      if (cells.length !== 5) throw new Error(`${file}: not five cells: ${line}`);
      const [id = '', level = '', asks = '', answer = '', test = ''] = cells.map((cell) => cell.trim());
      const tests = [...test.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      return { file, id: id.replace('v5.0.0-', ''), level, asks, answer, tests, state: readState(answer) };
    });
}

function readState(answer: string): State {
  if (answer.startsWith('Not applicable: ')) return 'not applicable';
  return answer.startsWith('**Not met:** ') ? 'not met' : 'met';
}

t.test('each requirement of level 1 and 2 has exactly one row, with its level', (t) => {
  t.same([listIds('1').length, listIds('2').length], [70, 183]);
  for (const level of LEVELS) {
    const ids = rows.filter((row) => row.level === level).map(({ id }) => id);
    t.same(ids.toSorted(), listIds(level).toSorted());
  }
  t.equal(rows.length, 253);
  t.end();
});

t.test('a requirement that is met names tests that exist, any other one a reason', async (t) => {
  for (const { id, asks, answer, tests, state } of rows) {
    t.ok(asks.length > 5 && answer.length > 5, id);
    t.equal(tests.length > 0, state === 'met', `${id} is ${state}`);
    for (const file of tests) {
      t.match(file, /^test\/.+\.test\.ts$/, id);
      t.ok((await stat(file)).isFile(), file);
    }
  }
});

t.test('the overview counts the states of each level', (t) => {
  const count = (condition: (row: Row) => boolean) => rows.filter(condition).length;
  const format = (name: string, condition: (row: Row) => boolean) =>
    `| ${[
      name,
      ...STATES.map((state) => count((row) => row.state === state && condition(row))),
      count(condition),
    ].join(' | ')} |`;
  for (const level of LEVELS)
    t.ok(overview.includes(format(level, (row) => row.level === level)), `level ${level}`);
  t.ok(
    overview.includes(format('1 and 2', () => true)),
    format('1 and 2', () => true),
  );
  t.end();
});

t.test('the overview lists exactly the requirements that are not met', (t) => {
  const listed = [...overview.matchAll(/^\| \[v5\.0\.0-([\d.]+)\]\(([^#)]+)#/gm)].map(([, id, file]) => ({
    id,
    file,
  }));
  const expected = rows.filter(({ state }) => state === 'not met').map(({ id, file }) => ({ id, file }));
  t.same(listed, expected);
  t.end();
});
