import { createConcurrencyLimiter } from '../../../shared/limiter.ts';
import type { LabelSheet } from './label-document.ts';
import { createLabelDrawing } from './label-drawing.ts';

type CalibrationSheet = Pick<LabelSheet, 'grid' | 'offset' | 'language'>;

/** Each has a thread of its own. */
const limiter = createConcurrencyLimiter(1);

/** Draw the page that tells where a printer prints, without any label. */
export async function drawCalibrationSheet(sheet: CalibrationSheet): Promise<Buffer> {
  return limiter(() => drawSheet(sheet));
}

async function drawSheet(sheet: CalibrationSheet): Promise<Buffer> {
  const drawing = createLabelDrawing();
  try {
    const begin = await drawing.run({
      step: 'BEGIN',
      sheet: {
        ...sheet,
        startCell: 1,
        background: null,
        bleedMillimeters: 0,
        cutMarks: false,
        calibrationPage: true,
        errorCorrection: null,
      },
    });
    const end = await drawing.run({ step: 'END' });
    return Buffer.concat([begin.bytes, end.bytes]);
  } finally {
    await drawing.close();
  }
}
