import { serveProcessTasks, toBuffer } from '../../../platform/worker-process.ts';
import { encodePictureRendition } from './draw-rendition.ts';
import { type PictureRejection, type PictureUploadTask, reencodeUploadedPicture } from './draw-upload.ts';
import type { RenditionFormat, RenditionWidth } from './rendition.rules.ts';

export type PictureProcessingTask =
  | PictureUploadTask
  | { purpose: 'RENDITION'; bytes: Uint8Array; width: RenditionWidth; format: RenditionFormat };

export type PictureProcessingResult =
  | { bytes: Uint8Array; format: string; width: number; height: number }
  | PictureRejection;

serveProcessTasks<PictureProcessingTask, PictureProcessingResult>((task) => {
  const bytes = toBuffer(task.bytes);
  if (task.purpose === 'RENDITION') return encodePictureRendition(bytes, task);
  return reencodeUploadedPicture(bytes, task);
});
