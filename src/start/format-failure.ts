import { DatabaseSessionError } from '../platform/database-session.ts';
import { getErrorCodeOrName } from '../platform/error-reason.ts';
import { isDatabaseUnavailable } from '../platform/http/database-errors.ts';
import { isPoolerRefusal, isProviderUnavailableError } from './get-exit-code.ts';

export function formatErrorForTerminal(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  if (code === 'EADDRINUSE')
    return `The port ${getPort(error)} is in use by another program. Stop it, or set another PORT or METRICS_PORT.`;
  if (code === 'EACCES' && Reflect.get(error, 'syscall') === 'listen')
    return `This user is not allowed to listen on port ${getPort(error)}. Set PORT to 1024 or higher, behind a proxy.`;
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an address of this machine, or not yet.';
  const path: unknown = Reflect.get(error, 'path');
  const isFolder = ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ENOSPC'].includes(String(code));
  if (isFolder && typeof path === 'string')
    return `${path} is not writable (${String(code)}). Check DATA_DIR and UPLOADS_DIR.`;
  if (isProviderUnavailableError(error))
    return `Files cannot be stored (${getErrorCodeOrName(error.cause)}). Check S3_ENDPOINT or, without S3_BUCKET, the disk of UPLOADS_DIR and DATA_DIR.`;
  if (error instanceof DatabaseSessionError) return error.message;
  if (isPoolerRefusal(error))
    return 'A connection pooler refused the settings of the session (08P01). Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL and DATABASE_OWNER_URL to the address of the server itself.';
  if (isDatabaseUnavailable(error)) {
    const reason = typeof code === 'string' ? ` (${code})` : '';
    return `The database is unavailable or rejects the login${reason}. Check DATABASE_URL and DATABASE_OWNER_URL.`;
  }
  return error.message;
}

function getPort(error: Error): string {
  return String(Reflect.get(error, 'port'));
}
