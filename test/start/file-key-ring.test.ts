import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFieldCipher } from '../../src/platform/field-cipher.ts';
import { formatKeyFile, parseKeyVariable, promoteKeyFileEntry } from '../../src/shared/crypto/key-file.ts';
import { createFileKeyRing } from '../../src/start/keys/file-key-ring.ts';
import { writePrivateFile } from '../../src/start/private-file.ts';
import { createScratchFolder, retryUntilSuccess } from '../scratch-folder.ts';
import { createTestKey } from '../shared/crypto/test-keys.ts';
import { t } from '../tap.ts';

const PLACE = { table: 'qr_codes', column: 'data', rowId: '65b2f0c0a1b2c3d4e5f60718', ownerId: 'somebody' };
const one = parseKeyVariable(`k1:${createTestKey('k1')}`, new Date());
const two = parseKeyVariable(`k1:${createTestKey('k1')},k2:${createTestKey('k2')}`, new Date());

t.test('decrypts a value under a newly added key immediately', async (t) => {
  const file = join(await createScratchFolder(t), 'keys.json');
  await writePrivateFile(file, formatKeyFile(one));
  const problems: unknown[] = [];
  const here = createFileKeyRing(file, [], (error) => problems.push(error));
  const fieldCipher = createFieldCipher({ keyRing: here, hashSecret: 'x' });
  await writePrivateFile(file, formatKeyFile(promoteKeyFileEntry(two, 'k2')));
  const there = createFieldCipher({ keyRing: createFileKeyRing(file, [], () => {}), hashSecret: 'x' });
  t.equal(
    fieldCipher.decrypt(PLACE, there.encrypt(PLACE, 'news')),
    'news',
    'before the date of the file is checked',
  );
  t.equal(here.current().primary, 'k2');

  await writeFile(file, 'damaged');
  t.equal(here.loadWithKey('k3').primary, 'k2', 'the keys are unchanged');
  await rm(file);
  t.equal(here.loadWithKey('k3').primary, 'k2');
  t.equal(problems.length, 2);
});

t.test('reloads a changed file on use, without retired keys', async (t) => {
  const file = join(await createScratchFolder(t), 'keys.json');
  await writePrivateFile(file, formatKeyFile(one));
  const ring = createFileKeyRing(file, ['k2'], () => {});
  const old = createFieldCipher({ keyRing: ring, hashSecret: 'x' }).encrypt(PLACE, 'old');
  await writePrivateFile(
    file,
    formatKeyFile(
      parseKeyVariable(
        `k3:${createTestKey('k3')},k1:${createTestKey('k1')},k2:${createTestKey('k2')}`,
        new Date(),
      ),
    ),
  );
  await retryUntilSuccess(async () => {
    if (ring.current().primary !== 'k3') throw new Error('not yet');
  });
  t.same([...ring.current().keys.keys()], ['k3', 'k1']);
  t.equal(createFieldCipher({ keyRing: ring, hashSecret: 'x' }).decrypt(PLACE, old), 'old');
});
