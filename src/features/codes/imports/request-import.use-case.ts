import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { assertQrCodeCreationAllowed } from '../create-qrcode.use-case.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import type { ColumnMapping } from './csv-columns.ts';
import {
  countOpenImports,
  type ImportKey,
  insertImport,
  lockImportsOfOwner,
  startDraft,
} from './import.repository.ts';
import { getImportPath, toImportView } from './import.view.ts';
import { IMPORT_CODES_QUEUE } from './import-codes.job.ts';
import type { ImportUpload } from './import-upload.ts';
import type { ImportView } from './imports.schemas.ts';
import type { ImportFormat } from './read-rows.ts';

const MAX_OPEN_IMPORTS = 3;

/** Each occupies a worker for minutes, and its errors are kept for a week. */
const MAX_IMPORTS_PER_DAY = 50;

interface NewImport {
  accountId: string;
  format: ImportFormat;
  mapping: ColumnMapping | null;
  upload: ImportUpload;
}

/** Begin the import of a file. @throws TOO_MANY_IMPORTS, RATE_LIMITED, PLAN_LIMIT_REACHED */
export async function requestImport(
  services: QrCodeServices,
  context: RequestContext,
  { accountId, format, mapping, upload }: NewImport,
): Promise<IdempotentResult<ImportView>> {
  const { files, jobs } = services;
  const { file, digest } = upload;
  const once = { who: accountId, fingerprint: { format, digest, ...(mapping && { mapping }) } };
  const created = await services.createIdempotently(context, once, async (tx) => {
    await reserveImport(services, tx, accountId);
    const id = generateId();
    await files.commit(tx, file);
    const row = { accountId, id, format, fileId: file.id, size: file.size, mapping };
    const inserted = await insertImport(tx, { ...row, ...getImportOrigin(context) });
    await enqueueImport(services, tx, context, { accountId, id });
    return { body: toImportView(services.publicBaseUrl, inserted), location: getImportPath(id) };
  });
  jobs.wake(IMPORT_CODES_QUEUE);
  return created;
}

/** Begin the import of a draft. @throws NOT_FOUND, TOO_MANY_IMPORTS, RATE_LIMITED, PLAN_LIMIT_REACHED */
export async function startImportDraft(
  services: QrCodeServices,
  context: RequestContext,
  key: ImportKey,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await reserveImport(services, tx, key.accountId);
    if (!(await startDraft(tx, key, getImportOrigin(context)))) throw new ServiceError('NOT_FOUND');
    await enqueueImport(services, tx, context, key);
  });
  services.jobs.wake(IMPORT_CODES_QUEUE);
}

function getImportOrigin({ requestId, user }: RequestContext) {
  return { requestId, createdBy: user?.id ?? null };
}

/** @throws TOO_MANY_IMPORTS, RATE_LIMITED, PLAN_LIMIT_REACHED */
async function reserveImport(services: QrCodeServices, tx: Tx, accountId: string): Promise<void> {
  await lockImportsOfOwner(tx, accountId);
  await assertImportAllowed(tx, accountId);
  const key = `import:${services.fieldCipher.hash('import', accountId).toString('hex')}`;
  await consumeAttempts(tx, [{ key, allowed: MAX_IMPORTS_PER_DAY, windowSeconds: DAY_SECONDS }]);
}

async function enqueueImport(
  { jobs }: Pick<QrCodeServices, 'jobs'>,
  tx: Tx,
  context: RequestContext,
  { accountId, id }: ImportKey,
): Promise<void> {
  await jobs.enqueue(tx, IMPORT_CODES_QUEUE, { accountId, importId: id });
  await recordAuditEntry(tx, context, { resourceId: accountId });
}

/** @throws TOO_MANY_IMPORTS, PLAN_LIMIT_REACHED */
export async function assertImportAllowed(db: Db | Tx, accountId: string): Promise<void> {
  if ((await countOpenImports(db, accountId)) >= MAX_OPEN_IMPORTS) throw new ServiceError('TOO_MANY_IMPORTS');
  await assertQrCodeCreationAllowed(db, accountId);
}
