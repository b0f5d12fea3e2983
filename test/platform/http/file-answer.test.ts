import t from 'tap';
import { fileAnswer, fileEtag } from '../../../src/platform/http/file-answer.ts';

const FACTS = { size: 100, modifiedAt: new Date('2026-01-02T03:04:05.678Z') };
const FILE = { ...FACTS, etag: fileEtag(FACTS) };
const OTHER = 'W/"other"';
const [BEFORE, THEN, AFTER] = [4, 5, 6].map((second) => `Fri, 02 Jan 2026 03:04:0${second} GMT`);

t.test('conditions are decided in the order of RFC 9110', async (t) => {
  const cases: [Record<string, string | undefined>, number][] = [
    [{}, 200],
    [{ 'if-match': FILE.etag }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `${OTHER}, ${FILE.etag}` }, 200],
    [{ 'if-match': OTHER }, 412],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-unmodified-since': THEN }, 200],
    [{ 'if-unmodified-since': 'nonsense' }, 200],
    [{ 'if-match': FILE.etag, 'if-unmodified-since': BEFORE }, 200],
    [{ 'if-none-match': FILE.etag }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': OTHER }, 200],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ 'if-modified-since': THEN }, 304],
    [{ 'if-modified-since': AFTER }, 304],
    [{ 'if-modified-since': 'nonsense' }, 200],
    [{ 'if-none-match': OTHER, 'if-modified-since': AFTER }, 200],
    [{ 'if-match': OTHER, 'if-none-match': FILE.etag }, 412],
    [{ 'if-none-match': FILE.etag, range: 'bytes=0-1' }, 304],
    [{ 'if-match': OTHER, range: 'bytes=0-1' }, 412],
    [{ range: 'bytes=0-1', 'if-range': FILE.etag }, 206],
    [{ range: 'bytes=0-1', 'if-range': OTHER }, 200],
    [{ range: 'bytes=0-1', 'if-range': THEN }, 206],
    [{ range: 'bytes=0-1', 'if-range': BEFORE }, 200],
    [{ range: 'bytes=0-1', 'if-range': 'nonsense' }, 200],
    [{ range: 'items=0-1' }, 200],
    [{ range: 'bytes=0-1,2-3', 'if-none-match': FILE.etag }, 416],
  ];
  for (const [headers, status] of cases)
    t.equal(fileAnswer(headers, FILE).status, status, JSON.stringify(headers));
});

t.test('a range is one that lies within the file, or none', async (t) => {
  const cases: [string, number, number | null][] = [
    ['0-0', 0, 0],
    ['0-', 0, 99],
    ['99-', 99, 99],
    ['10-500', 10, 99],
    ['-1', 99, 99],
    ['-500', 0, 99],
    [' 1 - 2 ', 1, 2],
    ['-0', 0, null],
    ['100-', 0, null],
    ['5-2', 0, null],
    ['-', 0, null],
    ['', 0, null],
    ['x', 0, null],
    ['1e1-2', 0, null],
    ['--1', 0, null],
    [`${'9'.repeat(400)}-`, 0, null],
  ];
  for (const [text, first, last] of cases) {
    const wanted = last === null ? { status: 416 } : { status: 206, range: { first, last } };
    t.same(fileAnswer({ range: `bytes=${text}` }, FILE), wanted, text.slice(0, 20));
  }
  t.same(fileAnswer({ range: 'bytes=0-' }, { ...FILE, size: 0 }), { status: 416 });
});
