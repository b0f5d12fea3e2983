import { fullFormats } from 'ajv-formats/dist/formats.js';
import { checkSync } from 'recheck';
import {
  MAP_LINK_PATTERNS,
  ONLY_COORDINATES_PATTERN,
  VIEW_CENTER,
} from '../../src/features/finder/position-text.rules.ts';
import { t } from '../tap.ts';
import { BOUNDED_PATTERNS, CONSTRUCTED_PATTERNS, SCHEMA_FORMATS } from './bounded-patterns.ts';
import { collectConstructedPatterns, collectFromSource, collectRegularExpressions } from './collect.ts';

const FOLDER = 'src';
/** Steps that one text may cost a pattern that is not linear. */
const MAX_STEPS = 20_000_000;
/** For one pattern on a busy machine; without a result the test fails. */
const TIMEOUT_MS = 120_000;

function isLinear(pattern: string, flags: string): boolean {
  const result = checkSync(pattern, flags.replace(/[dv]/g, ''), { timeout: TIMEOUT_MS });
  if (result.status === 'unknown')
    throw new Error(`No result for /${pattern}/${flags}: ${result.error.kind}`);
  return result.status === 'safe';
}

const sources = await collectRegularExpressions(FOLDER);
const isBounded = (file: string, pattern: string) =>
  BOUNDED_PATTERNS.some((known) => known.file === file && known.pattern === pattern);

t.test('each regular expression takes linear time, or is listed with its bound', async (t) => {
  t.ok(sources.length > 200, 'the sources are read');
  const checked = new Map<string, boolean>();
  const slow = sources.filter(({ file, pattern, flags }) => {
    const key = `/${pattern}/${flags}`;
    if (!checked.has(key) && !isBounded(file, pattern)) checked.set(key, isLinear(pattern, flags));
    return checked.get(key) === false && !isBounded(file, pattern);
  });
  t.same(
    slow.map(({ file, line, pattern }) => `${file}:${line} ${pattern}`),
    [],
  );
});

t.test('the list of bounded patterns has nothing superfluous and nothing costly', async (t) => {
  for (const { file, pattern, maxCharacters, bound } of BOUNDED_PATTERNS) {
    const source = sources.find((one) => one.file === file && one.pattern === pattern);
    t.ok(source, `${file} has ${pattern}`);
    if (source) t.notOk(isLinear(pattern, source.flags), `${pattern} needs a bound`);
    t.ok(maxCharacters ** 2 <= MAX_STEPS, `${pattern}: ${bound}`);
  }
});

t.test('each pattern that is put together at run time is known and linear', async (t) => {
  t.same(await collectConstructedPatterns(FOLDER), CONSTRUCTED_PATTERNS);
  for (const { source, flags } of [...MAP_LINK_PATTERNS, ONLY_COORDINATES_PATTERN, VIEW_CENTER])
    t.ok(isLinear(source, flags), source);
});

t.test('the formats of schemas take linear time', async (t) => {
  for (const name of SCHEMA_FORMATS) {
    for (const { source, flags } of findRegularExpressions(fullFormats[name]))
      t.ok(isLinear(source, flags), `${name}: ${source}`);
  }
});

function findRegularExpressions(format: unknown): RegExp[] {
  return format instanceof RegExp ? [format] : [];
}

t.test('a quadratic pattern is found wherever it is written', async (t) => {
  const text = `const A_PATTERN = '^(a+)+$'; const b = { pattern: 'a*a*b' }; c(/\\s+$/u);`;
  const found = collectFromSource('new.ts', text);
  t.same(
    found.map(({ pattern }) => pattern),
    ['^(a+)+$', 'a*a*b', '\\s+$'],
  );
  for (const { pattern, flags } of found) t.notOk(isLinear(pattern, flags), pattern);
});
