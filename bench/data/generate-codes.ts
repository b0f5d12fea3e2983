import { encryptQrCodeData } from '../../src/features/codes/encrypted-content.ts';
import { QR_CODE_KINDS } from '../../src/features/codes/kinds/all-kinds.ts';
import { createQrCodeSlug } from '../../src/features/codes/slug.rules.ts';
import type { FieldCipher } from '../../src/platform/field-cipher.ts';
import { DEFAULT_QR_CODE_DESIGN } from '../../src/platform/qr-image/design.rules.ts';
import { generateId } from '../../src/shared/ids.ts';
import { TITLE_WORDS } from '../many-codes.ts';
import { formatCopyLine } from './copy.ts';
import { createSeededRandom, pickOne } from './seeded-random.ts';

export interface CodeGenerator {
  columns: string;
  next(ownerId: string, at: Date): { id: string; line: string };
}

export function createCodeGenerator(fieldCipher: FieldCipher): CodeGenerator {
  const chance = createSeededRandom(1);
  const design = JSON.stringify(DEFAULT_QR_CODE_DESIGN);
  return {
    columns: 'id, owner_id, kind, mode, title, slug, data, visibility, design, created_at, updated_at',
    next(ownerId, at) {
      const id = generateId(at);
      const definition = pickOne(QR_CODE_KINDS, chance);
      const { kind, example } = definition;
      const title = `${TITLE_WORDS.map((words) => pickOne(words, chance)).join(' ')} ${id.slice(-4)}`;
      const data = encryptQrCodeData(fieldCipher, { id, ownerId, kind }, { ...example });
      const slug = createQrCodeSlug(definition, 'DYNAMIC', title);
      return {
        id,
        line: formatCopyLine([id, ownerId, kind, 'DYNAMIC', title, slug, data, '{}', design, at, at]),
      };
    },
  };
}
