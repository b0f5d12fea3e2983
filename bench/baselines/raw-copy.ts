// Baseline of the scan export in its own process: COPY of the exported columns and decryption of positions.
// Arguments: data folder of a running service, owner id. Sends rows and seconds for each message.
import { runWithServices } from '../../src/commands/command-context.ts';
import type { FieldCipher } from '../../src/platform/field-cipher.ts';
import { isId } from '../../src/shared/ids.ts';
import { copyRowsOut } from '../data/copy.ts';
import { createProcessEnvironment } from '../service-process.ts';

const [folder = '', accountId = ''] = process.argv.slice(2);
if (!isId(accountId)) throw new Error('Not the id of an owner.');

export interface CopyReadResult {
  rows: number;
  seconds: number;
}

const EXPORT_COLUMNS = `id, position, address, qr_code_id, type, class, class_rule, is_unique, city, region, country, device, os,
  browser, ip_truncated, user_agent, unlocked_at, scanned_at`;

await runWithServices(createProcessEnvironment(folder), {}, async ({ fieldCipher, database }) => {
  const connection = await database.pool.connect();
  await connection.query('SET statement_timeout = 0');
  const readAll = async (): Promise<CopyReadResult> => {
    const startedAt = performance.now();
    let rows = 0;
    const copy = `COPY (SELECT ${EXPORT_COLUMNS} FROM scans WHERE account_id = '${accountId}') TO STDOUT`;
    await copyRowsOut(connection, copy, (row) => {
      decryptRow(fieldCipher, row);
      rows += 1;
    });
    return { rows, seconds: (performance.now() - startedAt) / 1000 };
  };
  const ready = new Promise((resolve) => process.once('disconnect', resolve));
  process.on('message', async () => process.send?.(await readAll()));
  process.send?.('ready');
  await ready;
  connection.release(true);
});
process.exit();

function decryptRow(fieldCipher: FieldCipher, row: Buffer): unknown {
  const [rowId = '', position = '\\N', address = '\\N'] = row.toString('latin1').split('\t', 3);
  return [
    ['position', position],
    ['address', address],
  ].map(
    ([column = '', text = '']) =>
      text === '\\N' ||
      fieldCipher.decrypt({ table: 'scans', column, rowId, ownerId: accountId }, parseCopyBytes(text)),
  );
}

/** Parse bytes in the format of COPY: two backslashes, an x and hex digits. */
function parseCopyBytes(text: string): Buffer {
  return Buffer.from(text.slice(3), 'hex');
}
