import { removeRepeatedHeifReferences } from '../../../../src/features/files/pictures/heif-references.rules.ts';
import { t } from '../../../tap.ts';

function createBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const VERSION_0 = Buffer.alloc(4);

const toIds = (ids: readonly number[]) => Buffer.from(ids.flatMap((id) => [id >> 8, id & 0xff]));

/** Create the head of a HEIC file with references: from an item, to others. */
function createHeif(primaryId: number, references: readonly (readonly [number, ...number[]])[]): Buffer {
  const boxes = references.map(([from, ...to]) => createBox('dimg', toIds([from, to.length, ...to])));
  return createBox(
    'meta',
    VERSION_0,
    createBox('pitm', VERSION_0, toIds([primaryId])),
    createBox('iref', VERSION_0, ...boxes),
  );
}

t.test('references of another picture than the primary one become unique', async (t) => {
  const repeated = createHeif(1, [
    [3, 2, 2, 0xffff, 2],
    [4, 2, 5],
  ]);
  const unique = createHeif(1, [
    [3, 2, 0xfffe, 0xffff, 0xfffd],
    [4, 2, 5],
  ]);
  const before = Buffer.from(repeated);
  t.same(removeRepeatedHeifReferences(repeated), unique);
  t.same(repeated, before, 'the upload itself stays as it is');
});

t.test('references of the primary picture, unique ones and damaged files stay', async (t) => {
  for (const file of [
    createHeif(3, [[3, 2, 2]]),
    createHeif(1, [[3, 2, 4]]),
    createHeif(1, [[3, 2, 2]]).subarray(0, -3),
    Buffer.from('no boxes at all'),
    Buffer.alloc(0),
  ])
    t.equal(removeRepeatedHeifReferences(file), file);
});
