import {
  computeFileEtag,
  evaluateConditionalRequest,
  matchesIfNoneMatch,
} from '../../../src/platform/http/conditional-request.rules.ts';
import { t } from '../../tap.ts';

const FILE = { etag: '"a"', modifiedAt: new Date('2026-01-02T03:04:05.678Z'), size: 1000 };
const WEAK = { ...FILE, etag: 'W/"a"' };
const [BEFORE, THEN, AFTER] = [4, 5, 6].map((second) => `Fri, 02 Jan 2026 03:04:0${second} GMT`);
const RANGE = { range: 'bytes=0-9' };

type Case = [headers: Record<string, string | undefined>, strong: number, weak?: number];

t.test('conditions are evaluated in the order of RFC 9110', async (t) => {
  const cases: Case[] = [
    [{}, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"a"' }, 200, 412],
    [{ 'if-match': '"b" , "a"' }, 200, 412],
    [{ 'if-match': 'W/"a"' }, 412],
    [{ 'if-match': 'w/"a"' }, 412],
    [{ 'if-match': '"b"' }, 412],
    [{ 'if-match': 'a' }, 412],
    [{ 'if-match': '' }, 412],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-unmodified-since': THEN }, 200],
    [{ 'if-unmodified-since': AFTER }, 200],
    [{ 'if-unmodified-since': '2025-01-01' }, 200],
    [{ 'if-match': '*', 'if-unmodified-since': BEFORE }, 200],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"a"' }, 304],
    [{ 'if-none-match': 'W/"a"' }, 304],
    [{ 'if-none-match': '"b",,W/"a"' }, 304],
    [{ 'if-none-match': '"b"' }, 200],
    [{ 'if-none-match': 'x"a"' }, 200],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ 'if-modified-since': THEN }, 304],
    [{ 'if-modified-since': AFTER }, 304],
    [{ 'if-modified-since': 'Friday, 02-Jan-26 03:04:05 GMT' }, 304],
    [{ 'if-modified-since': 'Fri Jan  2 03:04:05 2026' }, 304],
    [{ 'if-modified-since': 'Fri Jan  2 03:04:04 2026' }, 200],
    [{ 'if-modified-since': '2027-01-01' }, 200],
    [{ 'if-modified-since': 'Xyz, 02 Xyz 2026 03:04:05 GMT' }, 200],
    [{ 'if-none-match': '"b"', 'if-modified-since': AFTER }, 200],
    [{ 'if-none-match': '"a"', 'if-modified-since': BEFORE }, 304],
    [{ 'if-match': '"b"', 'if-none-match': '"a"' }, 412],
    [{ 'if-unmodified-since': BEFORE, 'if-none-match': '"a"' }, 412],
    [{ ...RANGE, 'if-match': '"b"' }, 412],
    [{ ...RANGE, 'if-none-match': '"a"' }, 304],
    [{ ...RANGE, 'if-none-match': '"b"' }, 206],
    [{ range: 'bytes=0-9,20-29', 'if-none-match': '"a"' }, 304],
    [{ ...RANGE, 'if-range': '"a"' }, 206, 200],
    [{ ...RANGE, 'if-range': 'W/"a"' }, 200],
    [{ ...RANGE, 'if-range': '"b"' }, 200],
    [{ ...RANGE, 'if-range': '*' }, 200],
    [{ ...RANGE, 'if-range': THEN }, 206],
    [{ ...RANGE, 'if-range': AFTER }, 200],
    [{ ...RANGE, 'if-range': BEFORE }, 200],
    [{ ...RANGE, 'if-range': 'nonsense' }, 200],
    [{ range: 'bytes=0-9,20-29', 'if-range': THEN }, 416],
    [{ range: 'bytes=0-9,20-29', 'if-range': '"b"' }, 200],
    [{ 'if-range': '"b"' }, 200],
  ];
  for (const [headers, strong, weak = strong] of cases) {
    t.equal(evaluateConditionalRequest(headers, 'GET', FILE).status, strong, JSON.stringify(headers));
    t.equal(
      evaluateConditionalRequest(headers, 'GET', WEAK).status,
      weak,
      `${JSON.stringify(headers)}, of a weak tag`,
    );
  }
  t.equal(evaluateConditionalRequest(RANGE, 'HEAD', FILE).status, 200, 'HEAD ignores a range');
  t.equal(evaluateConditionalRequest({ 'if-none-match': '"a"' }, 'HEAD', FILE).status, 304);
});

t.test('supports one byte range as in RFC 9110', async (t) => {
  const ranges: [range: string, wanted: string | number, ofNothing?: number][] = [
    ['bytes=0-0', '0-0'],
    ['bytes=0-', '0-999'],
    ['bytes=999-', '999-999'],
    ['bytes=-1', '999-999', 200],
    ['bytes=-5000', '0-999', 200],
    ['bytes=990-99999999', '990-999'],
    ['BYTES=1-2', '1-2'],
    ['bytes= 1-2 ', '1-2'],
    ['bytes=,1-2, ,', '1-2'],
    ['bytes=1000-', 416],
    ['bytes=1000-1001', 416],
    [`bytes=${'9'.repeat(400)}-`, 416],
    ['bytes=-0', 416],
    ['bytes=0-1,2-3', 416],
    ['bytes=0-,0-,0-', 416],
    ['bytes=0-1, bytes=2-3', 416],
    ['bytes=5-4', 200, 200],
    ['bytes=-', 200, 200],
    ['bytes=', 200, 200],
    ['bytes=,', 200, 200],
    ['bytes=a-b', 200, 200],
    ['bytes=--1', 200, 200],
    ['bytes=1-2-3', 200, 200],
    ['bytes=1 - 2', 200, 200],
    ['bytes=0x1-2', 200, 200],
    ['bytes=1e1-2', 200, 200],
    ['lines=0-1', 200, 200],
    ['bytes', 200, 200],
  ];
  for (const [range, wanted, ofNothing = 416] of ranges) {
    const answer = evaluateConditionalRequest({ range }, 'GET', FILE);
    const got = answer.status === 206 ? `${answer.range.first}-${answer.range.last}` : answer.status;
    t.equal(got, wanted, range.slice(0, 30));
    const empty = evaluateConditionalRequest({ range }, 'GET', { ...FILE, size: 0 });
    t.equal(empty.status, ofNothing, `${range.slice(0, 30)} of nothing`);
  }
});

t.test('computes the ETag from size and time, and compares it weakly', async (t) => {
  const tag = computeFileEtag(FILE);
  t.match(tag, /^W\/"/);
  t.ok(matchesIfNoneMatch(`"x", ${tag.slice(2)}`, tag));
  for (const suffix of ['-gzip', '--gzip', '-br', '-zstd', '-deflate'])
    t.ok(matchesIfNoneMatch(`${tag.slice(0, -1)}${suffix}"`, tag), suffix);
  t.ok(matchesIfNoneMatch('"a-gzip"', '"a-gzip"'));
  t.notOk(matchesIfNoneMatch('"a-gzip"', '"a-br"'), 'tags of our own encodings differ');
  for (const none of [undefined, '', 'abc', '"', 'W/', '**', `${tag}x`])
    t.notOk(matchesIfNoneMatch(none, tag), String(none));
  for (const other of [
    { ...FILE, size: 1001 },
    { ...FILE, modifiedAt: new Date(0) },
  ])
    t.notOk(matchesIfNoneMatch(tag, computeFileEtag(other)));
});
