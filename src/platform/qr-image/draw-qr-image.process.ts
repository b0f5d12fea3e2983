import { ServiceError } from '../../shared/errors.ts';
import { serveProcessTasks } from '../worker-process.ts';
import { readQrCodeTexts } from './decode-image.ts';
import { drawQrCodeInFormat } from './draw-in-format.ts';
import { drawScannableQrImage } from './draw-scannable.ts';
import type { QrDrawingResult, QrDrawingTask } from './qr-drawing.ts';

serveProcessTasks<QrDrawingTask, QrDrawingResult>(async (task) => {
  try {
    if (task.purpose === 'SCANNABLE') {
      const { png, ...drawn } = await drawScannableQrImage(task.content, task.input);
      return { bytes: png, ...drawn };
    }
    if (task.purpose === 'READ') return { texts: await readQrCodeTexts(task.photo) };
    return { bytes: await drawQrCodeInFormat(task.format, task.content, task.design, task.options) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors } = error;
    return { rejected: { code, detail: message, ...(errors && { errors }) } };
  }
});
