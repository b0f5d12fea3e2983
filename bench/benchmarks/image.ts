import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import QRCode from 'qrcode';
import { drawQrCode } from '../../src/features/codes/draw-qrcode.ts';
import { storeQrCodeImage } from '../../src/features/codes/image-files.ts';
import { parseQrCodeKind } from '../../src/features/codes/kinds/all-kinds.ts';
import { DEFAULT_QR_CODE_DESIGN } from '../../src/platform/qr-image/design.rules.ts';
import { createDiskFileStore } from '../../src/providers/files/disk/disk-file-store.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { compareCalls } from '../measure.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';

const IMAGE_SIZE_PIXELS = 512;

const IMAGES_PER_ROUND = 25;

/** Compare an image drawn, read back and stored as in the service with the encoder of `qrcode` alone. */
export const imageBenchmark: OwnBenchmark = {
  world: 'OWN',
  async measure(options) {
    const kind = parseQrCodeKind('URL');
    if (!kind) throw new Error('There is no such kind.');
    const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
    const files = createDiskFileStore({ folder, isPrivate: false, subfolders: ['qrcodes'] });
    await files.prepare();
    const accountId = generateId();
    const createContent = () => `http://localhost:3000/s/${generateId()}`;
    const sides = {
      async service() {
        const { png } = await drawQrCode(accountId, createContent(), { size: IMAGE_SIZE_PIXELS });
        await storeQrCodeImage(files, { kind, slug: 'bench', accountId }, png);
      },
      async baseline() {
        const { errorCorrection: errorCorrectionLevel, margin } = DEFAULT_QR_CODE_DESIGN;
        await QRCode.toBuffer(createContent(), { width: IMAGE_SIZE_PIXELS, margin, errorCorrectionLevel });
      },
    };
    return runWithCleanUp(
      () => rm(folder, { recursive: true, force: true }),
      async () => [await compareCalls(options, 'image', IMAGES_PER_ROUND, sides, { max: 0.6 })],
    );
  },
};
