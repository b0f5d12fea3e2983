export { deleteAbandonedFiles } from './delete-abandoned-files.ts';
export {
  createEncryptedFileStore,
  type EncryptedFileStore,
  type PendingFile,
} from './encrypted-file-store.ts';
export { openReadableContent } from './open-readable-content.ts';
export { toChunks } from './pictures/private-bytes.ts';
export {
  MAX_ORIGINAL_BYTES,
  MAX_UPLOAD_BYTES,
  processOriginal,
  processProfilePicture,
} from './pictures/process-upload.ts';
export { getSizeAtWidth, type RenditionWidth } from './pictures/rendition.rules.ts';
export { createRenditionService, type RenditionService } from './pictures/renditions.ts';
export {
  PICTURE_RESPONSES,
  PictureQuery,
  type PictureServices,
  sendPicture,
} from './pictures/send-picture.ts';
export { removeFileIfAvailable } from './remove-file-if-available.ts';
export { createRemoveFilesJob, deleteRemovedFile, REMOVE_FILES_QUEUE } from './remove-files.job.ts';
export { listRemovedFilesOfOwner, markOwnerFilesRemoved } from './stored-file.repository.ts';
