import { serveProcessTasks } from '../../../platform/worker-process.ts';
import { drawRendition } from './draw-rendition.ts';
import { drawUpload, type PictureRejection, type UploadDrawing } from './draw-upload.ts';
import type { RenditionFormat, RenditionWidth } from './rendition.rules.ts';

/** A picture that is to be drawn: of what somebody sent, or in a width and a format of what is kept. */
export type DrawingTask =
  | UploadDrawing
  | { purpose: 'RENDITION'; bytes: Uint8Array; width: RenditionWidth; format: RenditionFormat };

/** A picture as it was drawn, or why it was not. */
export type DrawingResult =
  | { bytes: Uint8Array; format: string; width: number; height: number }
  | PictureRejection;

serveProcessTasks<DrawingTask, DrawingResult>((drawing) => {
  // Between processes a Buffer comes as what it is made of.
  const { buffer, byteOffset, byteLength } = drawing.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (drawing.purpose === 'RENDITION') return drawRendition(bytes, drawing);
  return drawUpload(bytes, drawing);
});
