import { serveProcessTasks } from '../../../platform/worker-process.ts';
import { drawRendition } from './draw-rendition.ts';
import { drawUpload, type PictureRejection, type UploadDrawing } from './draw-upload.ts';
import type { RenditionFormat, RenditionWidth } from './rendition.rules.ts';

export type DrawingTask =
  | UploadDrawing
  | { purpose: 'RENDITION'; bytes: Uint8Array; width: RenditionWidth; format: RenditionFormat };

export type DrawingResult =
  | { bytes: Uint8Array; format: string; width: number; height: number }
  | PictureRejection;

serveProcessTasks<DrawingTask, DrawingResult>((drawing) => {
  // A Buffer arrives as a plain object from another process.
  const { buffer, byteOffset, byteLength } = drawing.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (drawing.purpose === 'RENDITION') return drawRendition(bytes, drawing);
  return drawUpload(bytes, drawing);
});
