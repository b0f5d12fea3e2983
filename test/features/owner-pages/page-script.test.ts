import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { PAGE_SCRIPT } from '../../../src/features/owner-pages/page-script.ts';
import { t } from '../../tap.ts';

t.test('the script of all pages is small, and no browser refuses it', async (t) => {
  t.doesNotThrow(() => new Script(PAGE_SCRIPT));
  const bytes = gzipSync(PAGE_SCRIPT).length;
  t.ok(bytes <= 25_000, `${bytes} bytes`);
});
