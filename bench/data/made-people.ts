import type pg from 'pg';
import type { Services } from '../../src/services.ts';
import { generateId } from '../../src/shared/ids.ts';
import { copyIn, copyLine } from './copy.ts';
import type { DataSize } from './data-size.ts';
import { type CodeMaker, createCodeMaker } from './made-codes.ts';

/** An account with codes, of which ids are known. */
export interface MadeOwner {
  id: string;
  codes: string[];
}

export interface MadePeople {
  /** Its first code has 10,000 scans, its second most. */
  organization: MadeOwner;
  people: MadeOwner[];
}

const USER_COLUMNS = `id, email, password_hash, status, first_name, last_name, account_type, organization_name,
  language, time_zone, created_at`;

/** Codes that are sent at a time. */
const AT_ONCE = 5_000;

/** What making takes part in. */
export interface Making {
  connection: Pick<pg.ClientBase, 'query'>;
  services: Services;
  size: DataSize;
  /** Everything is made after this moment. */
  from: Date;
  progress: (name: string, done: number, total: number) => void;
  stopping: AbortSignal;
}

/** Makes the organization, which has a password, the other people, and all their codes. */
export async function makePeople(
  making: Making,
  account: { email: string; password: string },
): Promise<MadePeople> {
  const { connection, services, size, from } = making;
  const codes = createCodeMaker(services.fieldCipher);
  const organization: MadeOwner = { id: generateId(from), codes: [] };
  const people = Array.from({ length: size.people }, (): MadeOwner => ({ id: generateId(from), codes: [] }));
  const hash = await services.passwords.hash(account.password);
  const lines = people.map(({ id }, index) =>
    copyLine([
      id,
      `${id}@example.org`,
      null,
      'ACTIVE',
      'Ada',
      `Person ${index}`,
      'INDIVIDUAL',
      null,
      ...SETTINGS,
      from,
    ]),
  );
  const first = copyLine([
    ...[organization.id, account.email, hash, 'ACTIVE', 'Grace', 'Bench', 'ORGANIZATION', 'Bench Mark Ltd'],
    ...[...SETTINGS, from],
  ]);
  await copyIn(connection, `COPY users (${USER_COLUMNS}) FROM STDIN`, [first, ...lines].join(''));
  await makeCodes(making, codes, [
    ...Array.from({ length: size.codes }, () => organization),
    ...people.flatMap((person) => Array.from({ length: size.codesEach }, () => person)),
  ]);
  return { organization, people };
}

const SETTINGS = ['en', 'Europe/Berlin'];

/** A code for each owner in the list, all made within the first day. */
async function makeCodes(making: Making, maker: CodeMaker, owners: readonly MadeOwner[]): Promise<void> {
  const { connection, from, progress, stopping } = making;
  for (let begin = 0; begin < owners.length && !stopping.aborted; begin += AT_ONCE) {
    const lines = owners.slice(begin, begin + AT_ONCE).map((owner, index) => {
      const { id, line } = maker.next(owner.id, new Date(from.getTime() + (begin + index) * 50));
      owner.codes.push(id);
      return line;
    });
    await copyIn(connection, `COPY qr_codes (${maker.columns}) FROM STDIN`, lines.join(''));
    progress('codes', begin + lines.length, owners.length);
  }
}
