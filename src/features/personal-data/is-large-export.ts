import { getImagePath } from '../codes/index.ts';
import { getProfilePicturePath } from '../identity/index.ts';
import { estimateExportSize } from './export-size.repository.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** More than this is not made while somebody waits. Bytes are those of texts, encrypted content and pictures. */
const MAX_IMMEDIATE_EXPORT = { qrCodes: 200, rows: 5_000, bytes: 8 * 1024 * 1024 };

type Services = Pick<PersonalDataServices, 'database' | 'publicFiles'>;

/** Whether an archive of somebody is too much to be made while they wait. */
export async function isLargeExport(services: Services, userId: string): Promise<boolean> {
  const { qrCodes, rows, bytes, pictures } = await estimateExportSize(
    services.database.client,
    userId,
    MAX_IMMEDIATE_EXPORT,
  );
  if (
    qrCodes > MAX_IMMEDIATE_EXPORT.qrCodes ||
    rows > MAX_IMMEDIATE_EXPORT.rows ||
    bytes > MAX_IMMEDIATE_EXPORT.bytes
  )
    return true;
  const paths = pictures.qrCodes.map(getImagePath);
  if (pictures.profile !== null) paths.push(getProfilePicturePath(pictures.profile));
  let all = bytes;
  // One after the other: the threads that look are those that hash passwords, too.
  for (const path of paths) all += (await services.publicFiles.stat(path))?.size ?? 0;
  return all > MAX_IMMEDIATE_EXPORT.bytes;
}
