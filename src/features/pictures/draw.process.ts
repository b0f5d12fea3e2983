import { serveProcessTasks } from '../../platform/worker-process.ts';
import { drawRendition } from './draw-rendition.ts';
import { drawUpload, type Refused, type UploadDrawing } from './draw-upload.ts';
import type { Format, Width } from './rendition.rules.ts';

/** A picture that is to be drawn: of what somebody sent, or in a width and a format of what is kept. */
export type Drawing = UploadDrawing | { as: 'RENDITION'; bytes: Uint8Array; width: Width; format: Format };

/** A picture as it was drawn, or why it was not. */
export type Drawn = { bytes: Uint8Array; format: string; width: number; height: number } | Refused;

serveProcessTasks<Drawing, Drawn>((drawing) => {
  // Between processes a Buffer comes as what it is made of.
  const { buffer, byteOffset, byteLength } = drawing.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (drawing.as === 'RENDITION') return drawRendition(bytes, drawing);
  return drawUpload(bytes, drawing);
});
