import { readFile } from 'node:fs/promises';
import { ERRORS } from '../../src/catalogue.ts';
import { t } from '../tap.ts';
import { listMarkdownFiles } from './markdown.ts';

const statusByCode = new Map(Object.entries(ERRORS).map(([code, { status }]) => [code, String(status)]));

t.test('every documented error exists with the documented status', async (t) => {
  let count = 0;
  for (const file of ['README.md', 'CHANGELOG.md', ...(await listMarkdownFiles('docs'))])
    for (const [text, status, code = ''] of (await readFile(file, 'utf8')).matchAll(
      /\b([45]\d\d) `([A-Z_]+)`/g,
    )) {
      count += 1;
      t.equal(statusByCode.get(code), status, `${file}: ${text}`);
    }
  t.ok(count > 50, `${count} errors`);
});
