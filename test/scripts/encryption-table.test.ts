import { readFile } from 'node:fs/promises';
import { replaceEncryptionTable } from '../../scripts/encryption-table.ts';
import { t } from '../tap.ts';

t.test('The document says of each encrypted column what its values are bound to', async (t) => {
  const document = await readFile('docs/encryption.md', 'utf8');
  t.ok(document === replaceEncryptionTable(document), 'if not: npm run docs:encryption');
  t.match(document, /^\| `second_factors` \| `secret` \| `user_id` \| `user_id` \| 3 \|$/m);
  t.match(document, /^\| `outgoing_mails` \| `content` \| `id` \| nobody’s: empty \| 3 \|$/m);
  t.match(
    document,
    /^\| `qr_codes` \| `data` \| `id` \| `owner_id` \| 4 where `kind` is MEDICAL, else 3 \|$/m,
  );
  t.throws(() => replaceEncryptionTable('nothing'), /needs the lines/);
});
