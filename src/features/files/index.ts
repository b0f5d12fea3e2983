import type { Database } from '../../platform/database.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { deleteAbandonedFiles } from './delete-abandoned-files.use-case.ts';
import { createEncryptedFileStore } from './encrypted-file-store.ts';
import { purgeDeletedPictures } from './pictures/delete-picture.use-case.ts';
import { createRenditionService } from './pictures/renditions.ts';
import { createRemoveFilesJob, REMOVE_FILES_QUEUE } from './remove-files.job.ts';

interface FilesServices {
  database: Database;
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  publicFiles: FileStore;
  privateFiles: FileStore;
  config: { maxDocumentBytes: number };
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

export const filesManifest: FeatureManifest = { name: 'files', queues: [REMOVE_FILES_QUEUE] };

/**
 * Create the encrypted files and picture renditions. Other features register the routes that serve the content.
 */
export function createFilesFeature(services: FilesServices) {
  const { database } = services;
  const files = createEncryptedFileStore(services);
  const feature: Feature = {
    jobs: [{ queue: REMOVE_FILES_QUEUE, handler: createRemoveFilesJob(services) }],
    cleanUp: [() => purgeDeletedPictures({ database, files }), () => deleteAbandonedFiles(services)],
  };
  return { feature, services: { files, renditions: createRenditionService({ database, files }) } };
}

export { type EncryptedFileStore, type PendingFile, StoredFileMissingError } from './encrypted-file-store.ts';
export {
  containsForeignArchive,
  SIGNATURE_OVERLAP_BYTES,
  startsForeignFile,
} from './foreign-archive.rules.ts';
export { openPrivateFileForArchive } from './open-readable-content.ts';
export { filesPersonalData } from './personal-data.ts';
export { ACCOUNTLESS_PICTURE_BYTES_RULE } from './pictures/accountless-pictures.ts';
export { addPicture, type GalleryServices, MISSING_PICTURE_ERROR } from './pictures/add-picture.ts';
export { changePicture } from './pictures/change-picture.use-case.ts';
export { removePicture, restoreDeletedPicture } from './pictures/delete-picture.use-case.ts';
export { listRestorablePictures, sendDeletedPicture } from './pictures/deleted-pictures.ts';
export {
  type DeletedPictureRow,
  deletePictures,
  findPicture,
  findPicturesByIds,
  listPictures,
  listPicturesOfQrCodes,
  type PictureRow,
} from './pictures/gallery.repository.ts';
export { galleryRoutes } from './pictures/gallery.routes.ts';
export { createPictureChangeSchema, createPictureSchema, NewPicture } from './pictures/gallery.schemas.ts';
export { type PictureGallery, toPictureView } from './pictures/gallery.ts';
export {
  MAX_DRAFT_PICTURE_BYTES,
  MAX_PICTURE_UPLOAD_BYTES,
  type PictureUploader,
  processDraftPicture,
  processProfilePicture,
} from './pictures/process-upload.ts';
export { getPictureSizeAtWidth, type RenditionWidth } from './pictures/rendition.rules.ts';
export type { RenditionService } from './pictures/renditions.ts';
export {
  PictureQuery,
  type PictureServices,
  sendPicture,
} from './pictures/send-picture.ts';
export { removeFileIfStoreAvailable } from './remove-file-if-available.ts';
export { deleteRemovedFile } from './remove-files.job.ts';
export { listRemovedFileIdsOfOwner } from './stored-file.repository.ts';
