import { serveProcessTasks } from '../../../platform/worker-process.ts';
import { encodePictureRendition } from './draw-rendition.ts';
import { type PictureRejection, type PictureUploadTask, reencodeUploadedPicture } from './draw-upload.ts';
import type { RenditionFormat, RenditionWidth } from './rendition.rules.ts';

export type PictureProcessingTask =
  | PictureUploadTask
  | { purpose: 'RENDITION'; bytes: Uint8Array; width: RenditionWidth; format: RenditionFormat };

export type PictureProcessingResult =
  | { bytes: Uint8Array; format: string; width: number; height: number }
  | PictureRejection;

serveProcessTasks<PictureProcessingTask, PictureProcessingResult>((drawing) => {
  // A Buffer arrives as a plain object from another process.
  const { buffer, byteOffset, byteLength } = drawing.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (drawing.purpose === 'RENDITION') return encodePictureRendition(bytes, drawing);
  return reencodeUploadedPicture(bytes, drawing);
});
