import { join } from 'node:path';
import { createDiskFileStore } from './disk/disk-file-store.ts';
import type { FileStore } from './files.port.ts';
import type { S3Settings } from './s3/s3-connection.ts';
import { createS3FileStore } from './s3/s3-file-store.ts';

/** Public folders as they occur in URLs. */
const PUBLIC_FOLDERS = ['profile-pictures', 'qrcodes'];

export function openFileStores(settings: { uploadsDir: string; dataDir: string; s3: S3Settings | null }): {
  publicFiles: FileStore;
  privateFiles: FileStore;
  closeFiles(): Promise<void>;
} {
  const { uploadsDir, dataDir, s3 } = settings;
  const publicFiles = s3
    ? createS3FileStore({ ...s3, prefix: 'public/' })
    : createDiskFileStore({ folder: uploadsDir, isPrivate: false, subfolders: PUBLIC_FOLDERS });
  const privateFiles = s3
    ? createS3FileStore({ ...s3, prefix: 'private/' })
    : createDiskFileStore({ folder: join(dataDir, 'files'), isPrivate: true });
  return {
    publicFiles,
    privateFiles,
    async closeFiles() {
      await Promise.all([publicFiles.close(), privateFiles.close()]);
    },
  };
}
