import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { BulkItemBody } from '../bulk/put-qrcodes.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { addFolder, isSameFolderName, normalizeFolderName } from './change-folders.use-case.ts';
import { listFolders } from './folder.repository.ts';

/**
 * Set `folderId` of rows of an import by the name of their folder, ignoring case. A folder that is missing is created.
 * @returns the errors of rows whose folder cannot be created
 */
export async function resolveImportedFolders(
  { database }: Pick<QrCodeServices, 'database'>,
  context: RequestContext,
  accountId: string,
  bodies: ReadonlyMap<number, BulkItemBody>,
): Promise<Map<number, ServiceError>> {
  const errors = new Map<number, ServiceError>();
  for (const body of bodies.values()) if (body.folder === null) body.folderId = null;
  const named = [...bodies].filter(([, { folder }]) => typeof folder === 'string');
  if (named.length === 0) return errors;
  const idsByName = new Map(
    (await listFolders(database.client, accountId)).map(({ id, name }) => [name.toLowerCase(), id]),
  );
  for (const [index, body] of named) {
    const name = normalizeFolderName(body.folder ?? '');
    const key = name.toLowerCase();
    try {
      const id = idsByName.get(key) ?? (await findOrAddFolder(database, context, accountId, name));
      idsByName.set(key, id);
      body.folderId = id;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'TOO_MANY_FOLDERS') throw error;
      errors.set(index, error);
    }
  }
  return errors;
}

/** Another request may have created it since the names were listed. @throws TOO_MANY_FOLDERS */
async function findOrAddFolder(
  database: QrCodeServices['database'],
  context: RequestContext,
  accountId: string,
  name: string,
): Promise<string> {
  try {
    const values = { name, color: 'GRAY' };
    return (await database.transaction((tx) => addFolder(tx, context, accountId, values))).id;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FOLDER_NAME_TAKEN') throw error;
    const folders = await listFolders(database.client, accountId);
    const id = folders.find((folder) => isSameFolderName(folder.name, name))?.id;
    if (id === undefined) throw error;
    return id;
  }
}
