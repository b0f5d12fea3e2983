import pg from 'pg';
import { QR_CODE_KINDS } from '../../src/features/codes/kinds/all-kinds.ts';
import { generateId } from '../../src/shared/ids.ts';

const BATCH_SIZE = 50_000;

const FIRST_TITLE_WORDS =
  'blue red old new little big grandma uncle spare winter summer office garden school travel work';
const SECOND_TITLE_WORDS =
  'suitcase collar bracelet car passport contract router menu card door bicycle wallet laptop keys';
const THIRD_TITLE_WORDS =
  'Köln Zürich München 東京都 Αθήνα Łódź Berlin Lisbon Oslo Nairobi Boston Lima Seoul Riga Hanoi Cork';

// One code in ten belongs to the first owner. `heirloom` is in 1 % of the titles, each other word in about 7 %.
const INSERT_CODES_SQL = `
  INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design, image_file, created_at)
  SELECT lpad(to_hex(1700000000 + n), 8, '0') || substr(md5(n::text), 1, 16), owner,
         kinds[1 + chance % cardinality(kinds)], 'DYNAMIC',
         concat_ws(' ', CASE WHEN chance % 100 = 7 THEN 'heirloom' END,
                   first[1 + chance / 100 % cardinality(first)], second[1 + chance / 10000 % cardinality(second)],
                   third[1 + chance / 1000000 % cardinality(third)], n),
         'code', decode(repeat(md5(n::text), 20), 'hex'), '{}', '{"size": 512, "margin": 4}',
         'pet-code-' || owner || '-' || lpad(n::text, 13, '0') || '.png',
         to_timestamp(1700000000 + n)
  FROM (SELECT $4::text[] AS kinds, $5::text[] AS first, $6::text[] AS second, $7::text[] AS third) AS words,
       generate_series($1::int, $1::int + $2::int - 1) AS n,
       LATERAL (SELECT hashint4(n) & 2147483647 AS chance,
                       ($3::text[])[CASE WHEN n % 10 = 0 THEN 1 ELSE 2 + n / 100 END] AS owner) AS this`;

export const TITLE_WORDS = [FIRST_TITLE_WORDS, SECOND_TITLE_WORDS, THIRD_TITLE_WORDS].map((words) =>
  words.split(' '),
);

/** Fill an empty migrated database with codes; returns the owner of a tenth of them. */
export async function insertManyCodes(
  ownerUrl: string,
  total: number,
  log: (text: string) => void,
): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const owners = Array.from({ length: 1 + Math.ceil(total / 100) }, () => generateId());
    await client.query(
      `INSERT INTO users (id, email) SELECT id, id || '@example.org' FROM unnest($1::text[]) AS id`,
      [owners],
    );
    const indexes = await dropIndexes(client);
    const wordLists = [QR_CODE_KINDS.map(({ kind }) => kind), ...TITLE_WORDS];
    for (let from = 0; from < total; from += BATCH_SIZE) {
      const count = Math.min(BATCH_SIZE, total - from);
      await client.query(INSERT_CODES_SQL, [from, count, owners, ...wordLists]);
      log(`${from + count} of ${total} codes`);
    }
    for (const definition of indexes) {
      log(definition);
      await client.query(definition);
    }
    await client.query('VACUUM (ANALYZE) qr_codes');
    return owners[0] ?? '';
  } finally {
    await client.end();
  }
}

/** Drop indexes that no constraint needs; creating them after the rows is many times faster. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = 'qr_codes'::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}
