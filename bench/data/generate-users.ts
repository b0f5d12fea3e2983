import type pg from 'pg';
import { QR_CODE_DATA } from '../../src/features/codes/encrypted-content.ts';
import { QR_CODE_KINDS } from '../../src/features/codes/kinds/all-kinds.ts';
import { createQrCodeSlug } from '../../src/features/codes/slug.rules.ts';
import type { FieldCipher } from '../../src/platform/field-cipher.ts';
import { DEFAULT_QR_CODE_DESIGN } from '../../src/platform/qr-image/design.rules.ts';
import type { Services } from '../../src/services.ts';
import { generateId } from '../../src/shared/ids.ts';
import { TITLE_WORDS } from '../tables/many-codes.ts';
import { copyRowsIn, formatCopyLine } from './copy.ts';
import type { DataSize } from './data-size.ts';
import { createSeededRandom, pickOne } from './seeded-random.ts';

export interface GeneratedOwner {
  id: string;
  codes: string[];
}

export interface GeneratedUsers {
  /** Its first code has 10,000 scans, its second code most scans. */
  organization: GeneratedOwner;
  users: GeneratedOwner[];
}

const USER_COLUMNS = `id, email, password_hash, status, first_name, last_name, account_type, organization_name,
  language, time_zone, created_at`;

const CONCURRENCY = 5_000;

export interface GenerationContext {
  connection: Pick<pg.ClientBase, 'query'>;
  services: Services;
  size: DataSize;
  from: Date;
  onProgress: (name: string, done: number, total: number) => void;
  signal: AbortSignal;
}

export async function generateUsers(
  context: GenerationContext,
  account: { email: string; password: string },
): Promise<GeneratedUsers> {
  const { connection, services, size, from } = context;
  const codes = createCodeGenerator(services.fieldCipher);
  const organization: GeneratedOwner = { id: generateId(from), codes: [] };
  const users = Array.from(
    { length: size.users },
    (): GeneratedOwner => ({ id: generateId(from), codes: [] }),
  );
  const hash = await services.passwords.hash(account.password);
  const lines = users.map(({ id }, index) =>
    formatCopyLine([
      id,
      `${id}@example.org`,
      null,
      'ACTIVE',
      'Ada',
      `Person ${index}`,
      'INDIVIDUAL',
      null,
      ...USER_SETTINGS,
      from,
    ]),
  );
  const first = formatCopyLine([
    ...[organization.id, account.email, hash, 'ACTIVE', 'Grace', 'Bench', 'ORGANIZATION', 'Bench Mark Ltd'],
    ...[...USER_SETTINGS, from],
  ]);
  await copyRowsIn(connection, `COPY users (${USER_COLUMNS}) FROM STDIN`, [first, ...lines].join(''));
  await generateCodes(context, codes, [
    ...Array.from({ length: size.codes }, () => organization),
    ...users.flatMap((owner) => Array.from({ length: size.codesPerUser }, () => owner)),
  ]);
  return { organization, users };
}

const USER_SETTINGS = ['en', 'Europe/Berlin'];

async function generateCodes(
  context: GenerationContext,
  maker: CodeGenerator,
  owners: readonly GeneratedOwner[],
): Promise<void> {
  const { connection, from, onProgress, signal } = context;
  for (let begin = 0; begin < owners.length && !signal.aborted; begin += CONCURRENCY) {
    const lines = owners.slice(begin, begin + CONCURRENCY).map((owner, index) => {
      const { id, line } = maker.next(owner.id, new Date(from.getTime() + (begin + index) * 50));
      owner.codes.push(id);
      return line;
    });
    await copyRowsIn(connection, `COPY qr_codes (${maker.columns}) FROM STDIN`, lines.join(''));
    onProgress('codes', begin + lines.length, owners.length);
  }
}

interface CodeGenerator {
  columns: string;
  next(accountId: string, at: Date): { id: string; line: string };
}

function createCodeGenerator(fieldCipher: FieldCipher): CodeGenerator {
  const chance = createSeededRandom(1);
  const design = JSON.stringify(DEFAULT_QR_CODE_DESIGN);
  return {
    columns: 'id, account_id, kind, mode, title, slug, data, visibility, design, created_at, updated_at',
    next(accountId, at) {
      const id = generateId(at);
      const definition = pickOne(QR_CODE_KINDS, chance);
      const { kind, example } = definition;
      const title = `${TITLE_WORDS.map((words) => pickOne(words, chance)).join(' ')} ${id.slice(-4)}`;
      const data = QR_CODE_DATA.encrypt(fieldCipher, { id, accountId, kind }, { ...example });
      const slug = createQrCodeSlug(definition, 'DYNAMIC', title);
      return {
        id,
        line: formatCopyLine([id, accountId, kind, 'DYNAMIC', title, slug, data, '{}', design, at, at]),
      };
    },
  };
}
